// SigLIP with spiece.model in place of tokenizer.json: the ids of SentencePiece's own library, and the same pieces in either
// file give the same vectors.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { casesOf, filesOf, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';

const { 'tokenizer.json': tokenizer, ...files } = filesOf('siglip-hf', [
  'config.json',
  'preprocessor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'model.safetensors',
]);
const { vocab, unk_id: unknown } = JSON.parse(new TextDecoder().decode(tokenizer)).model;
const trained = fixtureFile('sentencepiece/siglip.model');
const cases = JSON.parse(new TextDecoder().decode(fixtureFile('sentencepiece/siglip.json')));

/** Numbers of Protocol Buffers: seven bits in a byte, the last ones last. */
const varint = (value) => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]);
const lengthDelimited = (field, bytes) => [...varint(8 * field + 2), ...varint(bytes.length), ...bytes];
const float = (field, value) => [...varint(8 * field + 5), ...new Uint8Array(Float32Array.of(value).buffer)];
const number = (field, value) => [...varint(8 * field), ...varint(value)];

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
/** `ids`: fields of the trainer's specification. */
const modelWith = (ids) =>
  Uint8Array.from([
    ...pieces,
    ...lengthDelimited(2, [...number(3, 1), ...ids]),
    ...lengthDelimited(3, [...lengthDelimited(1, new TextEncoder().encode('identity')), ...number(3, 1)]),
  ]);
const model = modelWith([...number(40, unknown), ...number(42, 1)]);

const idsIn = (embedder, texts) =>
  Promise.all(texts.map(async ({ text }) => ({ text, ids: [...(await embedder.tokenize(text))] })));

test('texts have the ids of SentencePiece after the steps of SiglipTokenizer', async () => {
  expect(cases.length).toBeGreaterThan(15);
  await withEmbedder({ ...files, 'spiece.model': trained }, { towers: 'text' }, async (embedder) => {
    expect(await idsIn(embedder, cases)).toEqual(cases);
  });
});

test('texts have the ids and the vectors of the model with tokenizer.json', async () => {
  await withEmbedder({ ...files, 'spiece.model': model }, {}, async (embedder) => {
    const texts = casesOf('siglip-hf', 'tokenize').map(({ text, expected }) => ({ text, ids: expected }));
    expect(texts.length).toBeGreaterThan(5);
    expect(await idsIn(embedder, texts)).toEqual(texts);
    for (const { ids, text, expected, tolerance } of casesOf('siglip-hf', 'textEmbed')) {
      const vector = ids ? await embedder.embedIds(ids) : await embedder.embedText(text);
      expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
    }
  });
});

test('a folder with both files is read without spiece.model', async () => {
  const [{ text, expected }] = casesOf('siglip-hf', 'tokenize');
  const both = { ...files, 'tokenizer.json': tokenizer, 'spiece.model': Uint8Array.of(255) };
  await withEmbedder(both, { towers: 'text' }, async (embedder) => {
    expect([...(await embedder.tokenize(text))]).toEqual(expected);
  });
});

test('a path and a name of the Hub load, and only the better of both files is downloaded', async () => {
  const path = await mkdtemp(join(tmpdir(), 'quintet-pieces-'));
  const hub = await serveHub();
  try {
    const folder = { ...files, 'spiece.model': trained };
    for (const [name, bytes] of Object.entries(folder)) await writeFile(join(path, name), bytes);
    const expectIds = async (embedder) => expect(await idsIn(embedder, cases)).toEqual(cases);
    await withEmbedder(path, { towers: 'text' }, expectIds);
    hub.add('zoo/pieces', folder);
    hub.add('zoo/both', { ...folder, 'tokenizer.json': tokenizer });
    process.env.HF_HOME = join(path, 'cache');
    const hubOptions = { towers: 'text', hub: { endpoint: hub.endpoint } };
    await withEmbedder('hf:zoo/pieces', hubOptions, expectIds);
    await withEmbedder('hf:zoo/both', hubOptions, () => {});
    const asked = hub.requests.map((request) => request.path).filter((asked) => asked.includes('zoo/both'));
    expect(asked.some((each) => each.endsWith('/tokenizer.json'))).toBe(true);
    expect(asked.some((each) => each.endsWith('/spiece.model'))).toBe(false);
  } finally {
    delete process.env.HF_HOME;
    await hub.close();
    await rm(path, { recursive: true });
  }
});

test.each([
  ['ends within a piece', model.subarray(0, 100), 'spiece.model'],
  ['has a number without an end', new Uint8Array(20).fill(255), 'spiece.model'],
  ['is empty', new Uint8Array(0), 'spiece.model'],
  ['has no pieces', Uint8Array.from(lengthDelimited(2, number(3, 1))), 'no pieces'],
  ['is a web page', new TextEncoder().encode('<!doctype html>'), 'spiece.model'],
  ['has no end token', modelWith([...number(40, unknown), ...number(42, 2 ** 32 - 1)]), 'no end token'],
  ['has a second unknown piece', modelWith(number(40, 500)), 'spiece.model'],
])('a file that %s is one error that names it', async (_, broken, says) => {
  const failure = await failureOf(withEmbedder({ ...files, 'spiece.model': broken }));
  expect(failure).toMatchObject({ code: 'FORMAT' });
  expect(failure.message).toContain('spiece.model');
  expect(failure.message).toContain(says);
});
