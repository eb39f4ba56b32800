// What is computed: texts of single words of the vocabulary, so that their token ids are known to a library that takes
// ids. Each job is { texts, sequences: [{ ids, types }] }, that of a reranker has a query besides.
import { readFile } from 'node:fs/promises';
import { VOCABULARY_FILE } from '../embedder/paths.mjs';
import { uniform } from '../shared/model/random.mjs';

const CLS = 101;
const SEP = 102;
const MIXED_TEXTS = 64;
const PAIRS = 100;
const QUERY_WORDS = 8;
/** In tokens. */
export const LONGEST_TEXT = 256;

export async function makeJobs() {
  const lines = (await readFile(VOCABULARY_FILE, 'utf8')).trimEnd().split('\n');
  const vocabulary = lines.map((word, id) => ({ word, id })).filter(({ word }) => /^[a-z]+$/.test(word));
  const next = uniform(3);
  const words = (count) => Array.from({ length: count }, () => vocabulary[Math.floor(next() * vocabulary.length)]);
  const textOf = (chosen) => chosen.map(({ word }) => word).join(' ');
  const idsOf = (chosen) => chosen.map(({ id }) => id);
  const texts = (lengths) => {
    const all = lengths.map((length) => words(length - 2));
    return {
      texts: all.map(textOf),
      sequences: all.map((chosen) => {
        const ids = [CLS, ...idsOf(chosen), SEP];
        return { ids, types: ids.map(() => 0) };
      }),
    };
  };
  // Most texts are short and a few long, as in collections of questions, titles and paragraphs.
  const mixed = () => 8 + Math.floor((LONGEST_TEXT - 8) * next() ** 3);
  const query = words(QUERY_WORDS);
  const passages = Array.from({ length: PAIRS }, () => words(20 + Math.floor(100 * next())));
  const pairOf = (passage) => {
    const first = [CLS, ...idsOf(query), SEP];
    const second = [...idsOf(passage), SEP];
    return { ids: [...first, ...second], types: [...first.map(() => 0), ...second.map(() => 1)] };
  };
  return {
    '1x128': texts([128]),
    '32x64': texts(new Array(32).fill(64)),
    mixed: texts(Array.from({ length: MIXED_TEXTS }, mixed)),
    pairs: { query: textOf(query), texts: passages.map(textOf), sequences: passages.map(pairOf) },
  };
}
