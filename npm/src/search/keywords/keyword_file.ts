// The words of a saved search index, as tensors of its file:
//   keywords          U8: JSON, an array of the words that occur
//   keyword_lengths   U32 [n]: number of words of each entry's text
//   keyword_sizes     U32 [n]: number of different words of each entry
//   keyword_words     U32: numbers of these words, ascending for each entry
//   keyword_counts    U8: how often each occurs, at most 255
// Words are in the order in which entries have them, those that appear in the same entry sorted by UTF-16 units. The metadata
// `word_rules` say how they came about; the first files do not have them.

import type { ContainedTensor, Container } from '../../safetensors/container.js';
import { broken, readJson, tensorNamed } from '../index_tensors.js';
import { mostCounted, wordRules, type KeywordRows } from './keyword_rows.js';

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

/** Whether the words are those of today's rules, or of those of the first files. */
export function followsRules(metadata: Readonly<Record<string, string>>): boolean {
  const { word_rules: rules } = metadata;
  if (rules === undefined || rules === wordRules) return rules === wordRules;
  throw broken('bad_version', `words that follow rules ${rules}, expected ${wordRules}`, 'keywords');
}

export interface SavedKeywords extends KeywordRows {
  followsRules: boolean;
}

/** Undefined if the file has no words. */
export function readKeywords(container: Container, entries: number): SavedKeywords | undefined {
  if (!container.tensors.some(({ name }) => name === 'keywords')) return undefined;
  const bytes = (name: KeywordTensor, count?: number) =>
    tensorNamed(container, name, keywordTypes[name], count === undefined ? undefined : [count]).data;
  // Copies, since tensors may not be aligned in the file.
  const integers = (name: KeywordTensor, count: number) => new Uint32Array(bytes(name, count).slice().buffer);
  const vocabulary = readVocabulary(bytes('keywords'));
  const sizes = integers('keyword_sizes', entries);
  const postings = sumOf(sizes);
  const rows = {
    followsRules: followsRules(container.metadata),
    vocabulary,
    lengths: integers('keyword_lengths', entries),
    sizes,
    words: integers('keyword_words', postings),
    counts: bytes('keyword_counts', postings).slice(),
  };
  checkRows(rows, vocabulary.length);
  return rows;
}

export const sumOf = (sizes: Uint32Array): number => sizes.reduce((sum, size) => sum + size, 0);

export function readVocabulary(data: Uint8Array): string[] {
  const list = readJson(data, 'keywords');
  if (!list.every((word) => typeof word === 'string' && word !== '')) throw broken('malformed', 'a word is not a text', 'keywords');
  if (new Set(list).size < list.length) throw broken('duplicate', 'a word occurs twice', 'keywords');
  return list as string[];
}

/** Checks the words of some entries. */
export function checkRows({ lengths, sizes, words, counts }: Omit<KeywordRows, 'vocabulary'>, vocabulary: number): void {
  let at = 0;
  sizes.forEach((size, entry) => {
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
      isExact &&= count < mostCounted;
    }
    const length = lengths[entry]!;
    if (length < counted || (isExact && length > counted)) {
      throw broken('mismatch', `entry ${entry} has ${length} words, but their counts are ${counted}`, 'keyword_lengths');
    }
  });
}
