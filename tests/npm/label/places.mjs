// Random texts whose tokens have recorded places, for one tokenizer of each kind.

import { hashOf } from '../../fixtures/tokenizers/random/hashes.mjs';
import { RandomTexts } from '../../fixtures/tokenizers/random/texts.mjs';
import { fixtures } from '../../fixtures/tokenizers/random/tokenizers.mjs';

const names = [
  'bert',
  'bert-cased',
  'bert-accents',
  'unigram-words',
  'unigram-spaces',
  'gpt2',
  'roberta',
  'n-nfc',
  'n-nfd',
  'llama2',
];

/** Written like DeBERTa's in transformers (convert_slow_tokenizer.py, DebertaV2Converter). */
function debertaJson() {
  const json = fixtures['unigram-spaces']();
  const [precompiled, replace] = json.normalizer.normalizers;
  const strip = { type: 'Strip', strip_left: true, strip_right: true };
  return { ...json, normalizer: { type: 'Sequence', normalizers: [strip, precompiled, replace] } };
}

/** tokenizer.json by name. */
export const tokenizers = () => ({
  ...Object.fromEntries(names.map((name) => [name, fixtures[name]()])),
  deberta: debertaJson(),
});

const isLone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Lone surrogates are not text for the library. */
export function textsOf(json, count = 60) {
  const texts = new RandomTexts(
    11,
    (json.added_tokens ?? []).map(({ content }) => content),
  );
  return Array.from({ length: count }, () => texts.next()).filter((text) => !isLone.test(text));
}

/** Leaves out tokens of white space alone: their place in a run of spaces does not matter. */
export const hashOfPlaces = (tokens) =>
  hashOf(tokens.filter(({ token }) => /[^\sĠ▁Ċĉč]/.test(token)).flatMap(({ start, end }) => [start, end]));

/** A place in code points as one in UTF-16 code units, without white space at its ends. */
export function placeIn(text, [first, last]) {
  const characters = [...text];
  const isSpace = (i) => /^\p{White_Space}$/u.test(characters[i]);
  let [begin, end] = [first, last];
  while (begin < end && isSpace(begin)) ++begin;
  while (end > begin && isSpace(end - 1)) --end;
  if (begin === end) [begin, end] = [first, last];
  const unitsBefore = (i) => characters.slice(0, i).join('').length;
  return { start: unitsBefore(begin), end: unitsBefore(end) };
}
