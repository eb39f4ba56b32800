// The words of a saved search index, as tensors of its file:
//   keywords          U8: JSON, an array of the words that occur
//   keyword_lengths   U32 [n]: number of words of each entry's text
//   keyword_sizes     U32 [n]: number of different words of each entry
//   keyword_words     U32: numbers of these words, ascending for each entry
//   keyword_counts    U8: how often each occurs, at most 255
// Words are in the order in which entries have them, those that appear in the same entry sorted by UTF-16 units. The
// metadata `word_rules` record how they came about.

import type { ContainedTensor, Container } from '../../safetensors/container.js';
import { broken, tensorNamed } from '../index_tensors.js';
import { elementsOf } from '../json_array.js';
import type { Steps } from '../steps.js';
import { type KeywordRows, maxCounted, wordRules } from './keyword_rows.js';

/** The tensors and their types. */
export const keywordTypes = {
  keywords: 'U8',
  keyword_lengths: 'U32',
  keyword_sizes: 'U32',
  keyword_words: 'U32',
  keyword_counts: 'U8',
} as const;

type KeywordTensor = keyof typeof keywordTypes;

export function keywordTensors({ vocabulary, lengths, sizes, words, counts }: KeywordRows): ContainedTensor[] {
  const tensor = (name: KeywordTensor, values: Uint8Array | Uint32Array) => {
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    return { name, dtype: keywordTypes[name], shape: [values.length], data };
  };
  return [
    tensor('keywords', new TextEncoder().encode(JSON.stringify(vocabulary))),
    tensor('keyword_lengths', lengths),
    tensor('keyword_sizes', sizes),
    tensor('keyword_words', words),
    tensor('keyword_counts', counts),
  ];
}

/** Words of other rules cannot be compared with those of queries. */
export function checkWordRules({ word_rules: rules }: Readonly<Record<string, string>>): void {
  if (rules !== wordRules)
    throw broken('bad_version', `words that follow rules ${rules}, expected ${wordRules}`, 'keywords');
}

/** Undefined if the file has no words. */
export function* readKeywords(container: Container, entries: number): Steps<KeywordRows | undefined> {
  if (!container.tensors.some(({ name }) => name === 'keywords')) return undefined;
  checkWordRules(container.metadata);
  const bytes = (name: KeywordTensor, count?: number) =>
    tensorNamed(container, name, keywordTypes[name], count === undefined ? undefined : [count]).data;
  // Copies, since tensors may not be aligned in the file.
  const integers = (name: KeywordTensor, count: number) => new Uint32Array(bytes(name, count).slice().buffer);
  const vocabulary = yield* readVocabulary(bytes('keywords'));
  const sizes = integers('keyword_sizes', entries);
  const postings = sumOf(sizes);
  const lengths = integers('keyword_lengths', entries);
  yield;
  const words = integers('keyword_words', postings);
  yield;
  const rows = { vocabulary, lengths, sizes, words, counts: bytes('keyword_counts', postings).slice() };
  yield;
  yield* checkRows(rows, vocabulary.length);
  return rows;
}

export const sumOf = (sizes: Uint32Array): number => sizes.reduce((sum, size) => sum + size, 0);

const wordsPerStep = 1024;

export function* readVocabulary(data: Uint8Array): Steps<string[]> {
  const words = new Set<string>();
  for (const word of elementsOf(data, 'keywords')) {
    if (typeof word !== 'string' || word === '') throw broken('malformed', 'a word is not a text', 'keywords');
    if (words.has(word)) throw broken('duplicate', 'a word occurs twice', 'keywords');
    words.add(word);
    if (words.size % wordsPerStep === 0) yield;
  }
  return [...words];
}

const entriesPerStep = 256;

/** Checks the words of some entries. */
export function* checkRows(
  { lengths, sizes, words, counts }: Omit<KeywordRows, 'vocabulary'>,
  vocabulary: number,
): Steps<void> {
  let at = 0;
  for (const [entry, size] of sizes.entries()) {
    let before = -1;
    let counted = 0;
    let isExact = true;
    for (const end = at + size; at < end; ++at) {
      const word = words[at]!;
      const count = counts[at]!;
      if (word >= vocabulary) throw broken('out_of_range', `word ${word} of ${vocabulary}`, 'keyword_words');
      if (word <= before) throw broken('malformed', `entry ${entry}: its words do not ascend`, 'keyword_words');
      if (count === 0) throw broken('out_of_range', `entry ${entry}: a word that occurs 0 times`, 'keyword_counts');
      before = word;
      counted += count;
      isExact &&= count < maxCounted;
    }
    const length = lengths[entry]!;
    if (length < counted || (isExact && length > counted)) {
      throw broken(
        'mismatch',
        `entry ${entry} has ${length} words, but their counts are ${counted}`,
        'keyword_lengths',
      );
    }
    if (entry % entriesPerStep === 0) yield;
  }
}
