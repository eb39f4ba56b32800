// What is embedded. Single words of the vocabulary, joined by spaces, are texts whose token ids are known, so that a
// library that takes texts and one that takes ids do the same work.
import { readFile } from 'node:fs/promises';

import { uniform } from '../shared/model/random.mjs';
import { SENTENCES_FILE, VOCABULARY_FILE } from './paths.mjs';

const CLS = 101;
const SEP = 102;
/** As many texts as transformers.js gets at a time: it pads them to the longest one. */
export const SENTENCE_BATCH = 32;

/** Name -> list of batches. Batch 1 at 16 to 256 tokens, 32 texts of 64 tokens, and real sentences. */
export async function makeBatches({
  sentencesFile = SENTENCES_FILE,
  sentenceCount = Infinity,
} = {}) {
  const words = await wholeWords();
  const next = uniform(2);
  const text = (tokens) =>
    Array.from({ length: tokens - 2 }, () => words[Math.floor(next() * words.length)]);
  const batch = (count, tokens) => {
    const texts = Array.from({ length: count }, () => text(tokens));
    return {
      ids: texts.map((chosen) => [CLS, ...chosen.map(({ id }) => id), SEP]),
      texts: texts.map((chosen) => chosen.map(({ word }) => word).join(' ')),
    };
  };
  const sentences = (await readSentences(sentencesFile)).slice(0, sentenceCount);
  return {
    '1x16': [batch(1, 16)],
    '1x64': [batch(1, 64)],
    '1x128': [batch(1, 128)],
    '1x256': [batch(1, 256)],
    '32x64': [batch(32, 64)],
    sentences: chunks(sentences, SENTENCE_BATCH).map((texts) => ({ texts })),
    'sentences one by one': sentences.map((sentence) => ({ texts: [sentence] })),
  };
}

async function wholeWords() {
  const vocabulary = (await readFile(VOCABULARY_FILE, 'utf8')).trimEnd().split('\n');
  return vocabulary.map((word, id) => ({ word, id })).filter(({ word }) => /^[a-z]+$/.test(word));
}

async function readSentences(file) {
  const lines = (await readFile(file, 'utf8')).trimEnd().split(/\r?\n/);
  if (!file.endsWith('.csv')) return lines;
  return lines.flatMap((line) => line.split('\t').slice(5, 7));
}

function chunks(items, size) {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
