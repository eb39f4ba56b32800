// SearchIndex.bytesFor, compared with the memory that storages of vectors take.
import { SearchIndex } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { importSource } from '../helpers/source.mjs';

const { TokenStorage } = await importSource('search/vectors/token_storage.ts');
const { BinaryStorage, FloatStorage, Int8Storage } = await importSource('search/vectors/vector_storage.ts');
const storages = { f32: FloatStorage, int8: Int8Storage, binary: BinaryStorage };
const entries = 5000;
/** Of the modules, and of buffers for queries and scores. */
const fixedBytes = 400_000;

/** `taken`: up to the end of what an arena has given away; its memory grows in steps. */
const near = (told, taken) => {
  expect(told).toBeGreaterThan(0.95 * (taken - fixedBytes));
  expect(told).toBeLessThanOrEqual(taken);
};

test.each(['f32', 'int8', 'binary'])('%s: told as the memory of the vectors', (storage) => {
  const dimension = 200;
  const index = new storages[storage](dimension);
  for (let slot = 0; slot < entries; ++slot) index.set(slot, new Float32Array(dimension).fill(0.1));
  const scanned = index.scanned.arena.top + 4 * entries;
  const floats = index.scanned === index ? 0 : index.arena.top;
  near(SearchIndex.bytesFor(entries, { dimension, storage }), scanned + floats);
});

test.each(['int8', 'binary'])('%s: vectors of tokens', (storage) => {
  const dimension = 96;
  const tokens = 30;
  const index = new TokenStorage(dimension, storage, 1);
  for (let slot = 0; slot < 500; ++slot) index.set(slot, new Float32Array(tokens * dimension).fill(0.1));
  near(SearchIndex.bytesFor(500, { dimension, storage, tokens }), index.arena.top);
  expect(SearchIndex.bytesFor(500, { dimension, tokens })).toBe(
    SearchIndex.bytesFor(500, { dimension, storage: 'int8', tokens }),
  );
});

test.each([
  [[-1, { dimension: 3 }], 'out_of_range'],
  [[1], 'missing'],
  [[1, {}], 'missing'],
  [[1, { dimension: 0 }], 'out_of_range'],
  [[1, { dimension: 3, tokens: 0.5 }], 'out_of_range'],
  [[1, { dimension: 3, storage: 'f16' }], 'out_of_range'],
  [[1, { dimension: 3, speed: 1 }], 'unknown_option'],
])('rejects %j', async (args, reason) => {
  expect(await failureOf(async () => SearchIndex.bytesFor(...args))).toMatchObject({ code: 'INPUT', reason });
});
