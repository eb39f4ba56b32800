// Splits texts into the words that keyword search compares. The result does not depend on the engine's version of Unicode:
// characters count as assigned only if every engine with WebAssembly SIMD knows them, and those keep their normalization
// and case for ever (https://www.unicode.org/policies/stability_policy.html).

import { accents, ignorable, replacements, symbols } from './folding.js';
import { wordRuns } from './word_characters.js';

const isNoWord = 0;
const isWord = 1;
const isDropped = 2;

interface Tables {
  /** By code point. */
  kinds: Uint8Array;
  replacements: Map<string, string>;
}

let tables: Tables | undefined;

/**
 * The words of a text in order: runs of letters, numbers, marks and symbols that are letters, folded as in folding.ts.
 * Scripts that are written without spaces give overlapping pairs of characters instead, as the CJKBigramFilter of Lucene
 * does.
 */
export function wordsOf(text: string): string[] {
  const { kinds } = (tables ??= readTables());
  const words: string[] = [];
  for (let at = 0, first = 0; at < text.length; first = at) {
    let seen = 0;
    for (let c; at < text.length && kinds[(c = text.codePointAt(at)!)]; at += unitsOf(c)) seen |= c;
    if (at === first) at += unitsOf(text.codePointAt(at)!);
    else if (seen < 0x80) words.push(text.slice(first, at).toLowerCase());
    // Compatibility characters may become several words, and runs of what is dropped none.
    else for (const run of folded(text.slice(first, at)).split(' ')) addParts(run, words);
  }
  return words;
}

const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

function readTables(): Tables {
  const kinds = new Uint8Array(0x110000);
  let at = 0;
  wordRuns.split(' ').forEach((length, i) => {
    const end = at + parseInt(length, 36);
    kinds.fill(i % 2, at, end);
    at = end;
  });
  for (const [first, last] of rangesOf(symbols)) kinds.fill(isWord, first, last + 1);
  for (const [first, last] of rangesOf(accents))
    for (let c = first; c <= last; ++c) if (kinds[c] === isWord) kinds[c] = isDropped;
  for (const [first, last] of rangesOf(ignorable)) kinds.fill(isDropped, first, last + 1);
  return { kinds, replacements: replacements() };
}

const rangesOf = (text: string) =>
  text.split(' ').map((range) => {
    const [first, last = first] = range.split('-').map((hex) => parseInt(hex, 16)) as [number, number?];
    return [first, last] as const;
  });

interface Folded {
  /** With spaces where words end. */
  text: string;
  /** Whether normalization sorts it, with the other marks of a letter. */
  isSorted: boolean;
}

const foldedCharacters = new Map<string, Folded>();

function foldedCharacter(character: string): Folded {
  const known = foldedCharacters.get(character);
  if (known) return known;
  const { kinds, replacements } = tables!;
  const parts = Array.from(character.normalize('NFKD').toLowerCase(), (part) => {
    const kind = kinds[part.codePointAt(0)!];
    return kind === isNoWord ? ' ' : kind === isDropped ? '' : (replacements.get(part) ?? part);
  });
  const text = parts.join('');
  // No combining class is higher than that of U+0345: normalization moves it behind every mark that it sorts.
  const fresh = { text, isSorted: `\u0345${text}`.normalize('NFD')[0] !== '\u0345' };
  foldedCharacters.set(character, fresh);
  return fresh;
}

/** Engines sort the marks of a letter by insertion, which takes quadratic time. No text has more (UAX #15, 13, Stream-Safe Text Format). */
const maxMarks = 30;

function folded(run: string): string {
  let text = '';
  let marks = 0;
  for (const character of run) {
    const next = foldedCharacter(character);
    if (next.text) marks = next.isSorted ? marks + 1 : 0;
    if (marks <= maxMarks) text += next.text;
  }
  return text.normalize('NFC');
}

/** Thai and Lao, Myanmar, Khmer; kana and iteration marks; Han in all planes. */
const unspaced =
  /([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;

function addParts(run: string, words: string[]): void {
  // Parts at odd places are what the expression found.
  run.split(unspaced).forEach((part, i) => {
    if (i % 2 === 1) addPairs([...part], words);
    else if (part) words.push(part);
  });
}

function addPairs(characters: string[], words: string[]): void {
  if (characters.length === 1) words.push(characters[0]!);
  for (let i = 1; i < characters.length; ++i) words.push(characters[i - 1]! + characters[i]!);
}
