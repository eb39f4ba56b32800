// Splits texts into the words that keyword search compares. The result does not depend on the engine's version of
// Unicode: characters count as assigned only if every engine with WebAssembly SIMD has them, and those keep their
// normalization and case forever (https://www.unicode.org/policies/stability_policy.html).

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
 * Scripts that are written without spaces give overlapping pairs of characters instead, as the CJKBigramFilter of
 * Lucene does.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const take = (word: string) => void words.push(word);
  forEachRun(text, (first, end, isAscii) => {
    if (isAscii) words.push(text.slice(first, end).toLowerCase());
    // Compatibility characters may become several words, and runs of dropped characters become none.
    else forEachWord(folded(text.slice(first, end)), take);
  });
  return words;
}

/** A word, and what it was made from: UTF-16 units of the text. */
export interface WordRange {
  word: string;
  start: number;
  end: number;
}

/** The words of `wordsOf`, and where they are in the text. Pairs of characters overlap. */
export function wordRangesOf(text: string): WordRange[] {
  const words: WordRange[] = [];
  forEachRun(text, (first, end, isAscii) => {
    const run = text.slice(first, end);
    if (isAscii) {
      words.push({ word: run.toLowerCase(), start: first, end });
      return;
    }
    const whole = folded(run);
    const places = placesOf(run, whole);
    forEachWord(whole, (word, from, to) => {
      // A run that is one word includes dropped characters at its ends.
      const isRun = !places || (from === 0 && to === whole.length);
      words.push({
        word,
        start: isRun ? first : first + places.starts[from]!,
        end: isRun ? end : first + places.ends[to - 1]!,
      });
    });
  });
  return words;
}

function forEachRun(text: string, take: (first: number, end: number, isAscii: boolean) => void): void {
  const { kinds } = (tables ??= readTables());
  for (let at = 0, first = 0; at < text.length; first = at) {
    let seen = 0;
    for (let c; at < text.length && kinds[(c = text.codePointAt(at)!)]; at += unitsOf(c)) seen |= c;
    if (at === first) at += unitsOf(text.codePointAt(at)!);
    else take(first, at, seen < 0x80);
  }
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
  // No combining class is higher than that of U+0345: normalization moves it after every mark that it sorts.
  const fresh = { text, isSorted: `\u0345${text}`.normalize('NFD')[0] !== '\u0345' };
  foldedCharacters.set(character, fresh);
  return fresh;
}

/**
 * Engines sort the marks of a letter by insertion, which takes quadratic time. No text has more (UAX #15, 13,
 * Stream-Safe Text Format).
 */
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

type TakeWord = (word: string, start: number, end: number) => void;

/** The words of a folded run, in which spaces stand between words. */
function forEachWord(run: string, take: TakeWord): void {
  let at = 0;
  for (const spaced of run.split(' ')) {
    // Parts at odd places are matches of the expression.
    spaced.split(unspaced).forEach((part, i) => {
      if (i % 2 === 1) forEachPair(part, at, take);
      else if (part) take(part, at, at + part.length);
      at += part.length;
    });
    at += 1;
  }
}

function forEachPair(part: string, at: number, take: TakeWord): void {
  const characters = [...part];
  if (characters.length === 1) take(part, at, at + part.length);
  for (let i = 1; i < characters.length; ++i) {
    const [one, two] = [characters[i - 1]!, characters[i]!];
    take(one + two, at, at + one.length + two.length);
    at += one.length;
  }
}

/** The source of each unit of a folded run: its first unit and the end, in the run. */
interface Places {
  starts: number[];
  ends: number[];
}

/** Vowels and final consonants of Hangul, which join the syllable before them. */
const isJoining = (character: string) => character >= '\u1160' && character <= '\u11ff';

/** Undefined if folding moves characters across others, so that it cannot be known. */
function placesOf(run: string, whole: string): Places | undefined {
  const places: Places = { starts: [], ends: [] };
  let text = '';
  let cluster = '';
  let start = 0;
  const endCluster = () => {
    const part = folded(cluster);
    for (let i = 0; i < part.length; ++i) {
      places.starts.push(start);
      places.ends.push(start + cluster.length);
    }
    text += part;
    start += cluster.length;
    cluster = '';
  };
  for (const character of run) {
    const { text: plain, isSorted } = foldedCharacter(character);
    if (cluster && plain && !isSorted && !isJoining(plain)) endCluster();
    cluster += character;
  }
  endCluster();
  return text === whole ? places : undefined;
}
