// Texts to embed. Single words of the vocabulary, joined by spaces, are texts whose token ids are known, so that a
// library that accepts texts and one that accepts ids do the same work.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { VOCABULARY_FILE } from '../models/encoder/prepare.mjs';
import { uniform } from '../models/files/random.mjs';

const SENTENCES_FILE = join(import.meta.dirname, '../data/sentences.txt');
const CLS = 101;
const SEP = 102;
/** The number of texts that transformers.js gets at a time: it pads them to the longest one. */
const SENTENCE_BATCH = 32;

/** Name -> list of batches: batch 1 at 16 to 256 tokens, 32 texts of 64 tokens, and real sentences. */
export async function embedderJobs({ sentencesFile = SENTENCES_FILE, sentenceCount = Infinity } = {}) {
  const words = await randomWords(2);
  const batch = (count, tokens) => {
    const texts = Array.from({ length: count }, () => words(tokens - 2));
    return [{ ids: texts.map((text) => [CLS, ...idsOf(text), SEP]), texts: texts.map(textOf) }];
  };
  const sentences = (await readSentences(sentencesFile)).slice(0, sentenceCount);
  return {
    '1x16': batch(1, 16),
    '1x64': batch(1, 64),
    '1x128': batch(1, 128),
    '1x256': batch(1, 256),
    '32x64': batch(32, 64),
    sentences: chunks(sentences, SENTENCE_BATCH).map((texts) => ({ texts })),
    'sentences one by one': sentences.map((sentence) => ({ texts: [sentence] })),
  };
}

const MIXED_TEXTS = 64;
const PAIRS = 100;
const QUERY_WORDS = 8;
/** In tokens. */
export const LONGEST_TEXT = 256;

/** Name -> { texts, sequences: [{ ids, types }] }; those of a reranker, `pairs`, also have a query. */
export async function encoderJobs() {
  const next = uniform(3);
  const words = await randomWords(next);
  const texts = textsOf(words);
  const query = words(QUERY_WORDS);
  const passages = Array.from({ length: PAIRS }, () => words(20 + Math.floor(100 * next())));
  const pairOf = (passage) => {
    const [first, second] = [
      [CLS, ...idsOf(query), SEP],
      [...idsOf(passage), SEP],
    ];
    return { ids: [...first, ...second], types: [...first.map(() => 0), ...second.map(() => 1)] };
  };
  return {
    '1x128': texts([128]),
    '32x64': texts(new Array(32).fill(64)),
    mixed: texts(Array.from({ length: MIXED_TEXTS }, skewedLengths(next, LONGEST_TEXT))),
    pairs: { query: textOf(query), texts: passages.map(textOf), sequences: passages.map(pairOf) },
  };
}

const MIXED_LABEL_TEXTS = 32;
/** In tokens. */
export const LONGEST_LABEL_TEXT = 128;

/** In the form of encoderJobs(): texts of usual lengths, and 32 of 8 to 128 tokens. */
export async function labelJobs() {
  const next = uniform(4);
  const texts = textsOf(await randomWords(next));
  return {
    '1x32': texts([32]),
    '1x128': texts([LONGEST_LABEL_TEXT]),
    mixed: texts(Array.from({ length: MIXED_LABEL_TEXTS }, skewedLengths(next, LONGEST_LABEL_TEXT))),
  };
}

/** Most texts are short and a few long, as in collections of questions, titles and paragraphs. */
const skewedLengths = (next, longest) => () => 8 + Math.floor((longest - 8) * next() ** 3);

/** A function of lengths in tokens. */
const textsOf = (words) => (lengths) => {
  const all = lengths.map((length) => words(length - 2));
  const sequenceOf = (text) => ({ ids: [CLS, ...idsOf(text), SEP], types: new Array(text.length + 2).fill(0) });
  return { texts: all.map(textOf), sequences: all.map(sequenceOf) };
};

const textOf = (words) => words.map(({ word }) => word).join(' ');
const idsOf = (words) => words.map(({ id }) => id);

/** A function that draws a number of whole words, by a seed or by random numbers. */
async function randomWords(source) {
  const next = typeof source === 'number' ? uniform(source) : source;
  const lines = (await readFile(VOCABULARY_FILE, 'utf8')).trimEnd().split('\n');
  const vocabulary = lines.map((word, id) => ({ word, id })).filter(({ word }) => /^[a-z]+$/.test(word));
  return (count) => Array.from({ length: count }, () => vocabulary[Math.floor(next() * vocabulary.length)]);
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
