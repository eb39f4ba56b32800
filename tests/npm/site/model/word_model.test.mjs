// Vectors of words against those that Embedder gives, which reads the same models through the engine, and against sums
// by hand.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Embedder } from '../../../../dist/node.js';
import { loadWordModel } from '../../../../dist/node_site.js';
import { writeSafetensors } from '../../../../dist/safetensors.js';

const folders = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const vocabulary = { '[PAD]': 0, '[UNK]': 1, the: 2, index: 3, '##es': 4, é: 5, query: 6 };
const tokenizer = {
  version: '1.0',
  added_tokens: [
    { id: 1, content: '[UNK]', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
  ],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: true,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: vocabulary,
  },
};

/** A folder of model2vec with rows [id, -id] and these further tensors. */
async function folderWith(
  tensors = {},
  embeddings = { dtype: 'F32', data: new Float32Array(14).map((_, i) => (i % 2 ? -1 : 1) * (i >> 1)) },
) {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  folders.push(folder);
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ model_type: 'model2vec', normalize: true, hidden_dim: 2 }),
  );
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  const all = { embeddings: { shape: [7, 2], ...embeddings }, ...tensors };
  writeFileSync(join(folder, 'model.safetensors'), await writeSafetensors(all));
  return folder;
}

test('the vector of a word is the sum of its tokens', async () => {
  const model = await loadWordModel(await folderWith());
  expect(model.dimension).toBe(2);
  expect([...(await model.vectorsOf(['the', 'indexes', 'unknown', 'query']))]).toEqual(
    [2, -2, 7, -7, 0, -0, 6, -6].map((x) => x + 0),
  );
  model.close();
});

test('weights scale tokens, and a mapping chooses rows', async () => {
  const weights = { dtype: 'F32', shape: [7], data: new Float32Array([0, 0, 1, 2, 3, 4, 0.5]) };
  const mapping = { dtype: 'I64', shape: [7], data: new BigInt64Array([0n, 0n, 1n, 1n, 2n, 2n, 6n]) };
  const model = await loadWordModel(await folderWith({ weights, mapping }));
  expect([...(await model.vectorsOf(['indexes', 'query']))]).toEqual([2 * 1 + 3 * 2, -8, 3, -3]);
});

test('only whole words are frequent words, in the order of the vocabulary', async () => {
  const { frequentWords } = await loadWordModel(await folderWith());
  expect(frequentWords).toEqual(['the', 'index', 'e', 'query']);
});

test('fingerprints differ between models, and are equal for the same model', async () => {
  const other = { dtype: 'F32', data: new Float32Array(14) };
  const prints = await Promise.all(
    [folderWith(), folderWith(), folderWith({}, other)].map(
      async (folder) => (await loadWordModel(await folder)).fingerprint,
    ),
  );
  expect(prints[0]).toBe(prints[1]);
  expect(prints[0]).not.toBe(prints[2]);
});

test.each([
  ['weights of another length', { weights: { dtype: 'F32', shape: [2], data: new Float32Array(2) } }],
  ['a row that does not exist', { mapping: { dtype: 'I64', shape: [7], data: new BigInt64Array(7).fill(7n) } }],
  ['weights that are a matrix', { weights: { dtype: 'F32', shape: [7, 1], data: new Float32Array(7) } }],
])('%s are rejected', async (_, tensors) => {
  await expect(loadWordModel(await folderWith(tensors))).rejects.toMatchObject({
    name: 'QuintetError',
    code: 'FORMAT',
  });
});

test('a transformer is not a model of words', async () => {
  const folder = await folderWith();
  writeFileSync(
    join(folder, 'model.safetensors'),
    await writeSafetensors({ 'encoder.weight': { dtype: 'F32', shape: [1], data: new Float32Array(1) } }),
  );
  await expect(loadWordModel(folder)).rejects.toMatchObject({ code: 'FORMAT', message: /static embedding/ });
});

test('the default model agrees with Embedder, which reads the same files', async () => {
  const [words, embedder] = await Promise.all([
    loadWordModel(),
    Embedder.load(fileURLToPath(new URL('../../../../models/words', import.meta.url))),
  ]);
  expect(words.frequentWords.slice(0, 200)).toEqual(expect.arrayContaining(['the', 'of', 'and', 'use']));
  const text = ['how', 'do', 'i', 'undo', 'part', 'of', 'a', 'transaction', 'retyped'];
  const vectors = await words.vectorsOf(text);
  const sum = new Float64Array(words.dimension);
  vectors.forEach((x, i) => (sum[i % words.dimension] += x));
  const length = Math.hypot(...sum);
  const expected = await embedder.embed(text.join(' '));
  expected.forEach((x, i) => expect(Math.abs(sum[i] / length - x)).toBeLessThan(1e-5));
  words.close();
  embedder.close();
});
