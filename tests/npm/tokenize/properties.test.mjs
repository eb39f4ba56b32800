// Random text becomes the ids that Hugging Face's JavaScript tokenizer gives it, and these become the text again.
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { TextGenerator } from 'quintet';
import { tokenizerJson } from '../../fixtures/tokenizers/byte_level/vocabularies.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { tinyGenerator } from '../helpers/models/tiny_generator.mjs';
import { randomText } from './random_text.mjs';
import { sentencePieceJson } from './sentencepiece_json.mjs';

const settings = { seed: 20250607, numRuns: 400 };

/**
 * `kept`: what of a text its ids hold; `before`: what is done to a text that the library would treat in another way.
 */
function describeAgreement(json, tokenizerFiles, kept = (given) => given, before = (given) => given) {
  let generator;
  let reference;
  beforeAll(async () => {
    reference = new Tokenizer(json, {});
    generator = await TextGenerator.load(await tinyGenerator(Object.keys(json.model.vocab).length, tokenizerFiles));
  });
  afterAll(() => generator?.close());

  const holds = (predicate) => fc.assert(fc.asyncProperty(randomText.map(before), predicate), settings);
  const idsOf = async (given) => [...(await generator.tokenize(given, { addBos: false }))];

  test('the same ids', () =>
    holds(async (given) => {
      expect(await idsOf(given)).toEqual(reference.encode(given).ids);
    }));

  test('ids give the text', () =>
    holds(async (given) => {
      expect(await generator.detokenize(await idsOf(given))).toBe(kept(given));
    }));
}

const named = (json) => ({ 'tokenizer.json': json });
// The settings of StarCoder's own file. The reference counts only ASCII digits.
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

// The JavaScript library's lower case depends on the end of a word, which the files' own implementation does not.
const withoutSigma = (given) => given.replaceAll('Σ', '');
const normalized = (...normalizers) => ({ ...tokenizerJson('gpt2'), normalizer: { type: 'Sequence', normalizers } });
describe('normalizers', () => {
  const spaces = { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' };
  const letters = { type: 'Replace', pattern: { String: 'e.' }, content: 'é' };
  const marks = [{ type: 'NFD' }, { type: 'StripAccents' }, letters, spaces, { type: 'NFC' }];
  describeAgreement(normalized(...marks), named(normalized(...marks)), (given) =>
    given.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('e.', 'é').replace(/\s+/g, ' ').normalize('NFC'),
  );

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
// The settings of Gemma's own file: no space in front of a text.
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

// The settings of newer files of Mistral, and all others. A text that begins with a space gets no second one.
const withMetaspace = (scheme) => ({
  ...gemmas,
  normalizer: null,
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: scheme, split: false },
});
describe.each(['first', 'always', 'never'])('SentencePiece: Metaspace, %s', (scheme) => {
  const json = withMetaspace(scheme);
  describeAgreement(json, named(json), (given) => (scheme === 'never' ? given : given.replace(/^ /, '')));
});
