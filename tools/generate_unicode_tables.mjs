#!/usr/bin/env node
// Writes src/base/unicode/data.h, compatibility_data.h and npm/src/search/keywords/word_characters.ts from the Unicode
// Character Database, as Debian's package `unicode-data` installs it (15.0), with what later versions have added
// (unicode_since_15.txt): tokenizers ask for the categories of 16.0 and the lower case of 17.0, except for
// decompositions and combining classes of 9.0 (base/unicode/properties.h).
//
//   node tools/generate_unicode_tables.mjs [--ucd DIR] [--out FILE]      FILE, of the first, may be - for stdout
//
// The layout of the first is chosen for a small WebAssembly file (7 KB, compressed); base/unicode/tables.h expands it:
// - runs of code points with the same properties, their kinds and their lengths apart, which compresses best;
// - the properties say which code points decompose, reorder or have a lower case, so that the lists of what they become
//   need not name them.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const CODE_POINTS = 0x110000;
const CATEGORY = {
  ...{ Cc: 1, Cf: 2, Co: 3, Mn: 4, Pc: 5, Pd: 5, Ps: 5, Pe: 5, Pi: 5, Pf: 5, Po: 5 },
  ...{ Lu: 6, Ll: 6, Lt: 6, Lm: 6, Lo: 6, Nd: 7, Nl: 7, No: 7 },
};
const FIRST_AGELESS = CATEGORY.Lu; // letters and numbers: nobody asks for their age
const LOWERCASES = 1 << 3;
const DECOMPOSES = 1 << 4;
const REORDERS = 1 << 5;
const AGE_SHIFT = 6;
const LATER = 2;

function* records(text) {
  for (const line of text.split('\n')) {
    const record = line.replace(/#.*/, '').trim();
    if (record) yield record.split(';').map((field) => field.trim());
  }
}

const codePoint = (hex) => Number.parseInt(hex, 16);

function readCharacters(text) {
  const characters = new Map();
  let rangeStart = null;
  for (const fields of records(text)) {
    const last = codePoint(fields[0]);
    if (fields[1].endsWith(', First>')) {
      rangeStart = last;
      continue;
    }
    const character = {
      ...categories(fields[2]),
      combiningClass: Number(fields[3]),
      decomposition: /^[^<]/.test(fields[5]) ? fields[5].split(' ').map(codePoint) : null,
      lowercase: fields[13] ? codePoint(fields[13]) : null,
    };
    for (let c = rangeStart ?? last; c <= last; ++c) characters.set(c, character);
    rangeStart = null;
  }
  return characters;
}

// 0: assigned in Unicode 8.0 or before, 1: in 9.0, 2: later. See `Age` in base/unicode/properties.h.
function readAges(text) {
  const ages = new Uint8Array(CODE_POINTS).fill(LATER);
  for (const [range, version] of records(text)) {
    const [first, last] = range.split('..').map(codePoint);
    ages.fill(Number(version) <= 8 ? 0 : Number(version) <= 9 ? 1 : LATER, first, (last ?? first) + 1);
  }
  return ages;
}

/**
 * Changes the characters to those of the later versions. Characters after Unicode 9.0 neither decompose nor reorder.
 */
function update(characters, changes, ages) {
  for (const [range, what, lowercase] of records(changes)) {
    const [first, last = first] = range.split('..').map(codePoint);
    for (let c = first; c <= last; ++c) {
      const character = { combiningClass: 0, decomposition: null, category: 0, subcategory: 0, ...characters.get(c) };
      if (lowercase) character.lowercase = codePoint(lowercase);
      else Object.assign(character, categories(what));
      characters.set(c, character);
    }
  }
  for (const [c, character] of characters) {
    if (ages[c] === LATER) characters.set(c, { ...character, combiningClass: 0, decomposition: null });
    if (isWhiteSpace(c)) characters.set(c, { ...character, subcategory: SUBCATEGORIES.space });
  }
}

// Property White_Space: as in base/unicode/properties.h.
const isWhiteSpace = (c) =>
  (c >= 9 && c <= 13) ||
  (c >= 0x2000 && c <= 0x200a) ||
  [0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(c);

function propertyBytes(characters, ages) {
  const bytes = new Uint8Array(CODE_POINTS);
  for (const [c, { category, subcategory, combiningClass, decomposition, lowercase }] of characters) {
    const shape = (decomposition ? DECOMPOSES : 0) | (combiningClass ? REORDERS : 0);
    const aged = shape || subcategory === SUBCATEGORIES.Mn || (category && category < FIRST_AGELESS);
    const age = aged ? ages[c] << AGE_SHIFT : 0;
    bytes[c] = category | shape | (lowercase ? LOWERCASES : 0) | age;
  }
  return bytes;
}

// In the order of `Subcategory` in base/unicode/properties.h.
const LETTERS = { Lu: 1, Lt: 2, Ll: 3, Lm: 4, Lo: 5 };
const MARKS = { Mn: 6, Mc: 6, Me: 6 };
const SYMBOLS = { Sm: 7, Sc: 7, Sk: 7, So: 7 };
const SUBCATEGORIES = { ...LETTERS, ...MARKS, ...SYMBOLS, Nd: 8, space: 9 };
const categories = (name) => ({ category: CATEGORY[name] ?? 0, subcategory: SUBCATEGORIES[name] ?? 0 });

/**
 * Runs of the same value, and how long they are: seven bits a byte, the lowest first, the highest bit saying whether
 * there are more.
 */
function runs(values) {
  const list = { values: [], lengths: [] };
  for (let at = 0, end; at < values.length; at = end) {
    end = at + 1;
    while (end < values.length && values[end] === values[at]) ++end;
    list.values.push(values[at]);
    let length = end - at;
    for (; length >= 0x80; length >>= 7) list.lengths.push((length & 0x7f) | 0x80);
    list.lengths.push(length);
  }
  return list;
}

/** The kinds of code points, each once, and the runs of them. */
function kindTables(characters, ages) {
  const properties = propertyBytes(characters, ages);
  const kinds = new Map();
  const kindOf = new Uint8Array(CODE_POINTS);
  for (let c = 0; c < CODE_POINTS; ++c) {
    const kind = { properties: properties[c], subcategory: characters.get(c)?.subcategory ?? 0 };
    const key = `${kind.properties} ${kind.subcategory}`;
    if (!kinds.has(key)) kinds.set(key, { ...kind, index: kinds.size });
    kindOf[c] = kinds.get(key).index;
  }
  return { kinds: [...kinds.values()], runs: runs(kindOf) };
}

function decompositionTables(decompositions) {
  const tables = { steps: [], tailIndices: [], tails: [] };
  let previous = 0;
  for (const [first, second = 0] of decompositions) {
    // Neighbours often begin with the same letter, or with the next one.
    tables.steps.push((first - previous) & 0xffff);
    previous = first;
    // The second half is one of few, and so is the plane of the first: together they are one byte.
    const tail = (first & 0xff0000) * 256 + second;
    if (!tables.tails.includes(tail)) tables.tails.push(tail);
    tables.tailIndices.push(tables.tails.indexOf(tail));
  }
  return tables;
}

// Script-specific exclusions and those of later versions: the other exclusions follow from the decomposition.
function compositionExclusions(text) {
  const list = [];
  for (const c of Array.from(records(text), ([hex]) => codePoint(hex)).sort((a, b) => a - b)) {
    const last = list.at(-1);
    if (last && last.first + last.count === c) ++last.count;
    else list.push({ first: c, count: 1 });
  }
  return list.map(({ first, count }) => (first << 8) | count);
}

function array(type, name, values, comment) {
  const limit = { uint8_t: 0x100, uint16_t: 0x10000, uint32_t: 2 ** 32, char32_t: 2 ** 32, int32_t: 2 ** 31 }[type];
  const fits = values.every((value) => Math.abs(value) < limit);
  if (!fits) throw new Error(`a value of ${name} does not fit ${type}`);
  const lines = [''];
  for (const value of values) {
    if (lines.at(-1).length + `${value}`.length + 2 > 98) lines.push('');
    lines[lines.length - 1] += `${lines.at(-1) ? ' ' : ''}${value},`;
  }
  const rows = lines.map((line) => `  ${line}\n`).join('');
  return `// ${comment}\ninline constexpr ${type} ${name}[${values.length}] = {\n${rows}};\n`;
}

function generate(ucd) {
  const ageText = readFileSync(join(ucd, 'DerivedAge.txt'), 'utf8');
  const version = /DerivedAge-(\S+)\.txt/.exec(ageText)[1];
  const characters = readCharacters(readFileSync(join(ucd, 'UnicodeData.txt'), 'utf8'));
  const ages = readAges(ageText);
  update(characters, readFileSync(new URL('unicode_since_15.txt', import.meta.url), 'utf8'), ages);
  const sorted = [...characters].sort(([a], [b]) => a - b);

  const kinds = kindTables(characters, ages);
  const listed = (field) =>
    sorted.filter(([, character]) => character[field]).map(([c, character]) => [c, character[field]]);
  const combining = runs(listed('combiningClass').map(([, combiningClass]) => combiningClass));
  const decompositions = decompositionTables(listed('decomposition').map(([, decomposition]) => decomposition));
  const distances = listed('lowercase').map(([c, lowercase]) => lowercase - c);
  const deltas = [...new Set(distances)];
  const lowercase = runs(distances.map((distance) => deltas.indexOf(distance)));
  const exclusions = compositionExclusions(readFileSync(join(ucd, 'CompositionExclusions.txt'), 'utf8'));

  // Type, name, values, comment.
  const arrays = [
    [
      'uint8_t',
      'kKindProperties',
      kinds.kinds.map(({ properties }) => properties),
      'CharacterProperties of each kind of characters: see unicode.h.',
    ],
    ['uint8_t', 'kKindSubcategories', kinds.kinds.map(({ subcategory }) => subcategory), 'Their Subcategory.'],
    ['uint8_t', 'kKinds', kinds.runs.values, 'Kind of each run of code points.'],
    ['uint8_t', 'kKindLengths', kinds.runs.lengths, 'Length of each of these runs, seven bits a byte.'],
    ['uint8_t', 'kCombiningClasses', combining.values, 'Combining class of each run of characters that are reordered.'],
    ['uint8_t', 'kCombiningClassLengths', combining.lengths, 'Length of each of these runs.'],
    ['uint8_t', 'kLowercases', lowercase.values, 'Index of the distance for each run of those with a lower case.'],
    ['uint8_t', 'kLowercaseLengths', lowercase.lengths, 'Length of each of these runs.'],
    ['int32_t', 'kLowercaseDistances', deltas, 'Distances to the lower-case letter.'],
    [
      'uint16_t',
      'kDecompositionSteps',
      decompositions.steps,
      'For each that decomposes: from the first half of the one before to its own, lower 16 bits.',
    ],
    ['uint8_t', 'kDecompositionTailIndices', decompositions.tailIndices, 'Index of the rest of each.'],
    [
      'uint32_t',
      'kDecompositionTails',
      decompositions.tails,
      'Plane of the first half << 24 | second half, 0 where there is none.',
    ],
    [
      'uint32_t',
      'kCompositionExclusions',
      exclusions,
      'First code point << 8 | how many from it on are never composed.',
    ],
  ];

  return header(`${version} and\n// tools/unicode_since_15.txt`, '#include <cstdint>\n\n', arrays);
}

const header = (version, includes, arrays) => `#pragma once
// Generated by tools/generate_unicode_tables.mjs from the Unicode Character Database ${version}. Do not edit.
// The data is Copyright Unicode, Inc., under the Unicode License, https://www.unicode.org/license.txt
// clang-format off

${includes}namespace quintet::unicode_data {

${arrays.map((each) => array(...each)).join('\n')}
}  // namespace quintet::unicode_data
`;

/**
 * For each character whose full compatibility decomposition is not its canonical one: size << 24 | code point, and the
 * decomposition.
 */
function generateCompatibility(ucd) {
  const mappings = new Map();
  for (const [hex, , , , , mapping] of records(readFileSync(join(ucd, 'UnicodeData.txt'), 'utf8')))
    if (mapping) mappings.set(codePoint(hex), mapping);
  const ages = readAges(readFileSync(join(ucd, 'DerivedAge.txt'), 'utf8'));
  const decompose = (c, takes) => {
    const mapping = mappings.get(c);
    if (!mapping || !takes(mapping)) return [c];
    return mapping
      .replace(/^<.*> /, '')
      .split(' ')
      .flatMap((hex) => decompose(codePoint(hex), takes));
  };
  const values = [];
  for (const c of mappings.keys()) {
    const compatible = decompose(c, () => true);
    const canonical = decompose(c, (mapping) => !mapping.startsWith('<'));
    if (ages[c] !== LATER && compatible.join() !== canonical.join())
      values.push(compatible.length * 2 ** 24 + c, ...compatible);
  }
  const comment =
    'For each character: size << 24 | code point, and its full compatibility decomposition, if it is not the canonical one.';
  return header('15.0, as of 9.0', '', [['char32_t', 'kCompatibility', values, comment]]);
}

// Engines with WebAssembly SIMD have at least this version, and its characters keep their normalization and case
// forever (https://www.unicode.org/policies/stability_policy.html).
const WORD_VERSION = 13;

/** Letters, numbers and marks: lengths of runs without and with them in turns. */
function generateWordCharacters(ucd) {
  const isWord = new Uint8Array(CODE_POINTS);
  let rangeStart = null;
  for (const [hex, name, category] of records(readFileSync(join(ucd, 'UnicodeData.txt'), 'utf8'))) {
    const last = codePoint(hex);
    if (name.endsWith(', First>')) {
      rangeStart = last;
    } else {
      isWord.fill(/^[LNM]/.test(category) ? 1 : 0, rangeStart ?? last, last + 1);
      rangeStart = null;
    }
  }
  for (const [range, version] of records(readFileSync(join(ucd, 'DerivedAge.txt'), 'utf8'))) {
    const [first, last] = range.split('..').map(codePoint);
    if (Number(version) > WORD_VERSION) isWord.fill(0, first, (last ?? first) + 1);
  }
  const lengths = [];
  for (let at = 0, end; (end = isWord.indexOf(lengths.length % 2 ? 0 : 1, at)) >= 0; at = end) lengths.push(end - at);
  return `// Generated by tools/generate_unicode_tables.mjs from the Unicode Character Database. Do not edit. The data is Copyright
// Unicode, Inc., under the Unicode License, https://www.unicode.org/license.txt

/**
 * Code points that are not letters, numbers or marks of Unicode ${WORD_VERSION}.0, and code points that are, in turns:
 * lengths of the runs, in base 36.
 */
export const wordRuns =
${lines(lengths.map((length) => length.toString(36)))
  .map((line, i, all) => `  '${line}${i < all.length - 1 ? " ' +" : "';"}`)
  .join('\n')}
`;
}

function lines(words) {
  const wrapped = [''];
  for (const word of words) {
    const line = wrapped.at(-1);
    if (line.length + word.length > 110) wrapped.push(word);
    else wrapped[wrapped.length - 1] = line ? `${line} ${word}` : word;
  }
  return wrapped;
}

const { values: options } = parseArgs({
  options: {
    ucd: { type: 'string', default: '/usr/share/unicode' },
    out: {
      type: 'string',
      default: join(dirname(fileURLToPath(import.meta.url)), '../src/base/unicode/data.h'),
    },
  },
});
const text = generate(options.ucd);
if (options.out === '-') process.stdout.write(text);
else {
  writeFileSync(options.out, text);
  writeFileSync(join(dirname(options.out), 'compatibility_data.h'), generateCompatibility(options.ucd));
  const words = join(dirname(fileURLToPath(import.meta.url)), '../npm/src/search/keywords/word_characters.ts');
  writeFileSync(words, generateWordCharacters(options.ucd));
}
