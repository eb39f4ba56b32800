// Splits texts into the words that keyword search compares. The result does not depend on the engine's version of Unicode:
// characters count as assigned only if every engine with WebAssembly SIMD knows them, and those keep their normalization
// and case for ever (https://www.unicode.org/policies/stability_policy.html).

import { wordRuns } from './word_characters.js';

let table: Uint8Array | undefined;

/**
 * The words of a text in order: runs of letters, numbers and marks, in lower case and without accents. Scripts that are
 * written without spaces give overlapping pairs of characters instead, as the CJKBigramFilter of Lucene does.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachRun(text, (run, isAscii) => {
    if (isAscii) words.push(run.toLowerCase());
    // Compatibility characters may become several words.
    else forEachRun(folded(run), (part) => addParts(part, words));
  });
  return words;
}

/** Calls `visit` for each run of word characters. */
function forEachRun(text: string, visit: (run: string, isAscii: boolean) => void): void {
  table ??= readTable();
  for (let at = 0, first = 0; at < text.length; first = at) {
    let seen = 0;
    for (let c; at < text.length && table[(c = text.codePointAt(at)!)]; at += unitsOf(c)) seen |= c;
    if (at > first) visit(text.slice(first, at), seen < 0x80);
    else at += unitsOf(text.codePointAt(at)!);
  }
}

const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

function readTable(): Uint8Array {
  const isWord = new Uint8Array(0x110000);
  let at = 0;
  wordRuns.split(' ').forEach((length, i) => {
    const end = at + parseInt(length, 36);
    isWord.fill(i % 2, at, end);
    at = end;
  });
  return isWord;
}

/** Without case, accents (U+0300 to U+036F) and compatibility forms. Sigma at the end of a word and the sharp s are special. */
const folded = (run: string): string =>
  run
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\u03c2/g, '\u03c3')
    .replace(/\u00df/g, 'ss')
    .normalize('NFC');

/** Thai and Lao, Myanmar, Khmer; kana and iteration marks; Han in all planes. */
const unspaced = /([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;

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
