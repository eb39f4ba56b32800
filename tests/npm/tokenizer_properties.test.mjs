// Random text becomes the ids that Hugging Face's JavaScript tokenizer gives it, and these become the text again.
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { TextGenerator } from 'quintet';
import { tokenizerJson } from '../fixtures/tokenizers/byte_level/vocabularies.mjs';
import { fixtureFile } from './model_fixtures.mjs';
import { sentencePieceJson } from './sentencepiece_json.mjs';
import { tinyGenerator } from './tiny_generator.mjs';

const settings = { seed: 20250607, numRuns: 400 };

// Blocks in which no character is younger than Unicode 15.0: engines differ in what they know of later ones. Left out
// are U+2581, which is SentencePiece's space, and of white space U+FEFF, which is that to JavaScript alone, and U+0085,
// which is to all others.
const alphabets = [
  [0x21, 0x84], [0x86, 0x36f], [0x370, 0x52f], [0x531, 0x6ff], [0x900, 0xbff], [0xe00, 0xfff],
  [0x1e00, 0x1fff],
];
const cjk = [
  [0x3000, 0x312f], [0x4e00, 0x9fff], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xff00, 0xffef],
  [0x20000, 0x2a6df],
];
const signs = [
  [0x2000, 0x206f], [0x2070, 0x209f], [0x2100, 0x2426], [0x2440, 0x2580], [0x2582, 0x2b8f],
  [0xfe00, 0xfefe], [0x1d400, 0x1d7ff],
];
const emoji = [[0x1f300, 0x1f64f], [0x1f900, 0x1f9ff], [0xe0020, 0xe007f], [0xe0100, 0xe01ef]];
const controls = [[0x0, 0x1f], [0x7f, 0x84], [0x86, 0xa0]];

const from = (...ranges) =>
  fc.oneof(...ranges.map(([min, max]) => fc.integer({ min, max }))).map((c) => String.fromCodePoint(c));
const some = (arbitrary, maxLength) => fc.array(arbitrary, { minLength: 1, maxLength }).map((parts) => parts.join(''));

const words = 'the of Hello world tokenization don dog I you we they int return café naïve Straße ΣΊΣΥΦΟΣ'.split(' ');
const endings = [
  "'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'Ve", "'M", "'lL", "'D", "'",
  "''s", "'ſ",
];
const spaces = [
  ' ', '  ', '   ', '        ', '\t', '\n', '\n\n', '\r\n', '\r', '\v', '\u00a0', '\u3000',
  '\u2028', '\u2003',
];
const numbers = ['0', '7', '42', '1234', '3.14', '1000000', '½', '²', '٣', '五', 'Ⅷ', '१२३', '①', '𝟘'];
const pictures = ['😀', '🚀', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', '❤️', '✅', '1️⃣'];
const punctuation = [
  '.', ',', '!', '?', '...', '!!!', '--', '(', ')', '{}', '=>', '//', '"', '—', '。', '“', '$', '€',
  '__',
];

const word = fc.constantFrom(...words);
const part = fc.oneof(
  word,
  fc.tuple(word, fc.constantFrom(...endings)).map(([first, second]) => first + second),
  fc.constantFrom(...endings, ...punctuation, ...pictures),
  some(fc.constantFrom(...spaces), 4),
  fc.constant(' '),
  some(fc.constantFrom(...numbers), 3),
  some(fc.integer({ min: 0, max: 9 }).map(String), 9),
  fc.tuple(word, some(from([0x300, 0x36f]), 3)).map(([letters, marks]) => letters + marks),
  some(from(...alphabets), 6),
  some(from(...cjk), 6),
  some(from(...signs), 3),
  some(from(...emoji), 3),
  from(...controls),
);
const text = fc.array(part, { maxLength: 16 }).map((parts) => parts.join(''));

/** `kept`: what of a text its ids hold; `before`: what is done to a text that the library would treat in another way. */
function describeAgreement(json, tokenizerFiles, kept = (given) => given, before = (given) => given) {
  let generator;
  let reference;
  beforeAll(async () => {
    reference = new Tokenizer(json, {});
    generator = await TextGenerator.load(await tinyGenerator(Object.keys(json.model.vocab).length, tokenizerFiles));
  });
  afterAll(() => generator?.close());

  const holds = (predicate) => fc.assert(fc.asyncProperty(text.map(before), predicate), settings);
  const idsOf = async (given) => [...(await generator.tokenize(given, { addBos: false }))];

  test('the same ids', () =>
    holds(async (given) => {
      expect(await idsOf(given)).toEqual(reference.encode(given).ids);
    }));

  test('the ids give the text', () =>
    holds(async (given) => {
      expect(await generator.detokenize(await idsOf(given))).toBe(kept(given));
    }));
}

const named = (json) => ({ 'tokenizer.json': json });
// As StarCoder's own file has it. To the reference, digits are those of ASCII alone.
const withDigits = (json) => {
  const [, byteLevel] = json.pre_tokenizer.pretokenizers;
  const digits = { type: 'Digits', individual_digits: true };
  return named({ ...json, pre_tokenizer: { type: 'Sequence', pretokenizers: [digits, byteLevel] } });
};

describe.each([
  ['gpt2', named],
  ['starcoder', withDigits],
  ['llama3', named],
  ['qwen35', named],
  ['gpt4o', named],
  ['tekken', named],
  ['deepseek-v3', named],
  ['deepseek-coder', named],
  ['falcon', named],
])('byte-level BPE: %s', (name, filesOf) => {
  const json = tokenizerJson(name);
  describeAgreement(json, filesOf(json));
});

describe('byte-level BPE: a space in front, as in RoBERTa', () => {
  const json = tokenizerJson('roberta');
  describeAgreement(json, named(json), (given) => (given === '' || given.startsWith(' ') ? given : ` ${given}`));
});

// The JavaScript library's lower case knows of the end of a word, which the files' own implementation does not.
const withoutSigma = (given) => given.replaceAll('Σ', '');
const normalized = (...normalizers) => ({ ...tokenizerJson('gpt2'), normalizer: { type: 'Sequence', normalizers } });
describe('normalizers', () => {
  const spaces = { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' };
  const letters = { type: 'Replace', pattern: { String: 'e.' }, content: 'é' };
  const marks = [{ type: 'NFD' }, { type: 'StripAccents' }, letters, spaces, { type: 'NFC' }];
  describeAgreement(normalized(...marks), named(normalized(...marks)), (given) =>
    given.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('e.', 'é').replace(/\s+/g, ' ').normalize('NFC'));

  const lower = normalized({ type: 'Lowercase' }, { type: 'Strip', strip_left: true, strip_right: false });
  describe('in lower case', () =>
    describeAgreement(lower, named(lower), (given) => given.toLowerCase().trimStart(), withoutSigma));
});

const sentencePiece = (path) => {
  const model = fixtureFile(path);
  return { model: { 'tokenizer.model': model }, json: sentencePieceJson(model) };
};
const llama2 = sentencePiece('tokenizers/llama2/tokenizer.model');
const stories = sentencePiece('sentencepiece/tok512.model');

describe('SentencePiece: Llama 2, tokenizer.model', () => describeAgreement(llama2.json, llama2.model));
describe('SentencePiece: Llama 2, tokenizer.json', () => describeAgreement(llama2.json, named(llama2.json)));
// As Gemma's own file has it: no space in front of a text.
const withoutPrefix = (json) => ({
  ...json,
  normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
  pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithPrevious', invert: false },
  decoder: {
    type: 'Sequence',
    decoders: [{ type: 'Replace', pattern: { String: '▁' }, content: ' ' }, { type: 'ByteFallback' }, { type: 'Fuse' }],
  },
});
const gemmas = withoutPrefix(llama2.json);
describe("SentencePiece: tokenizer.json with Gemma's steps", () => describeAgreement(gemmas, named(gemmas)));
describe('SentencePiece: of stories, which leaves out spaces', () =>
  describeAgreement(stories.json, stories.model, (given) => given.replace(/^ +| +$/g, '').replace(/ +/g, ' ')));

// As in newer files of Mistral, and with what else there is. A text that begins with a space gets no other.
const withMetaspace = (scheme) => ({
  ...gemmas,
  normalizer: null,
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: scheme, split: false },
});
describe.each(['first', 'always', 'never'])('SentencePiece: Metaspace, %s', (scheme) => {
  const json = withMetaspace(scheme);
  describeAgreement(json, named(json), (given) => (scheme === 'never' ? given : given.replace(/^ /, '')));
});
