// SigLIP with spiece.model alone: the same pieces as in its tokenizer.json give the same ids and vectors.
import { distance, failureOf } from '../helpers/expectations.mjs';
import { casesOf, filesOf, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';

const { 'tokenizer.json': tokenizer, ...files } = filesOf('siglip-hf', [
  'config.json',
  'preprocessor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'model.safetensors',
]);
const { vocab, unk_id: unknown } = JSON.parse(new TextDecoder().decode(tokenizer)).model;

/** Numbers of Protocol Buffers: seven bits in a byte, the last ones last. */
const varint = (value) => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
const lengthDelimited = (field, bytes) => [...varint(8 * field + 2), ...varint(bytes.length), ...bytes];
const float = (field, value) => [8 * field + 5, ...new Uint8Array(Float32Array.of(value).buffer)];
const number = (field, value) => [8 * field, ...varint(value)];

// Fields and types of pieces: sentencepiece_model.proto of google/sentencepiece.
const [control, usual] = [3, 1];
const typeOf = (id) => (id === unknown ? 2 : id < unknown ? control : usual);
const pieces = vocab.flatMap(([text, score], id) =>
  lengthDelimited(1, [
    ...lengthDelimited(1, new TextEncoder().encode(text)),
    ...float(2, score),
    ...(typeOf(id) === usual ? [] : number(3, typeOf(id))),
  ]),
);
// A trainer's specification with its unk_id, and a normalizer's with its name and a flag.
const model = Uint8Array.from([
  ...pieces,
  ...lengthDelimited(2, [...number(3, 1), ...number(40, unknown)]),
  ...lengthDelimited(3, [...lengthDelimited(1, new TextEncoder().encode('identity')), ...number(3, 1)]),
]);

test('texts have the ids and the vectors of the model with tokenizer.json', async () => {
  await withEmbedder({ ...files, 'spiece.model': model }, {}, async (embedder) => {
    const cases = casesOf('siglip-hf', 'tokenize');
    expect(cases.length).toBeGreaterThan(5);
    for (const { text, expected } of cases) {
      const ids = [...(await embedder.tokenize(text))];
      expect([text, ids.slice(0, expected.length)]).toEqual([text, expected]);
    }
    for (const { ids, text, expected, tolerance } of casesOf('siglip-hf', 'textEmbed')) {
      const vector = ids ? await embedder.embedIds(ids) : await embedder.embedText(text);
      expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
    }
  });
});

test('tokenizer.json is used where both are', async () => {
  const both = { ...files, 'tokenizer.json': tokenizer, 'spiece.model': Uint8Array.of(255) };
  await withEmbedder(both, { towers: 'text' }, async (embedder) => {
    expect([...(await embedder.tokenize('zxqv'))]).toEqual([41, 38, 36, 29, 34, 1]);
  });
});

test.each([
  ['ends within a piece', model.subarray(0, 100)],
  ['has a number without an end', new Uint8Array(20).fill(255)],
  ['has no pieces', new Uint8Array(0)],
  ['is a web page', new TextEncoder().encode('<!doctype html>')],
  ['is too large', new Uint8Array(2 ** 24 + 1)],
])('a file that %s is rejected', async (_, broken) => {
  const failure = await failureOf(withEmbedder({ ...files, 'spiece.model': broken }));
  expect(failure).toMatchObject({ code: 'FORMAT' });
  expect(failure.message).toContain('spiece.model');
});
