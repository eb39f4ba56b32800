// Saved indexes as one: the bytes of the index to which everything was added, and clean refusals.
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { SearchIndex } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { streamOf } from '../helpers/streams.mjs';

const folder = mkdtempSync(join(tmpdir(), 'quintet-merge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dimension = 24;
const vectorOf = (i) => Float32Array.from({ length: dimension }, (_, j) => Math.sin(1 + i * 37 + j * j));
const payloads = [undefined, { text: 'größer 😀', __proto__x: [1.5e-7] }, null, 7];

/** An index of the entries from `first` on; the whole when it is called with all. */
function indexOf(storage, first, count) {
  const index = new SearchIndex({ dimension, storage });
  for (let i = first; i < first + count; ++i)
    index.add({ id: `id ${i}`, vector: vectorOf(i), payload: payloads[i % payloads.length] });
  return index;
}

async function merged(parts, options) {
  const chunks = [];
  for await (const chunk of await SearchIndex.merge(parts, options)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function savedParts(storage, sizes) {
  const parts = [];
  let first = 0;
  for (const size of sizes) {
    parts.push(await indexOf(storage, first, size).save());
    first += size;
  }
  return { parts, whole: await indexOf(storage, 0, first).save() };
}

describe.each(['f32', 'int8', 'binary'])('%s', (storage) => {
  test.each([[[5]], [[3, 4]], [[0, 3, 0, 1, 700]], [[0]], [[0, 0]]])(
    'parts of %j entries give the bytes of the whole',
    async (sizes) => {
      const { parts, whole } = await savedParts(storage, sizes);
      expect(Buffer.compare(await merged(parts), whole)).toBe(0);
    },
  );

  test('any parts can be merged', async () => {
    const property = fc.asyncProperty(fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }), async (sizes) => {
      const { parts, whole } = await savedParts(storage, sizes);
      expect(Buffer.compare(await merged(parts), whole)).toBe(0);
    });
    await fc.assert(property, { numRuns: 40 });
  });
});

test("paths, Blobs and bytes, with the caller's metadata, into a file that is loaded", async () => {
  const { parts, whole } = await savedParts('int8', [30, 40, 50]);
  const path = join(folder, 'part');
  writeFileSync(path, parts[0]);
  const metadata = { corpus: 'a b c' };
  const target = join(folder, 'whole');
  const stream = await SearchIndex.merge([path, new Blob([parts[1]]), parts[2]], { metadata });
  await pipeline(Readable.fromWeb(stream), createWriteStream(target));
  expect((await readSafetensors(target)).metadata).toMatchObject({ ...metadata, storage: 'int8' });
  const index = await SearchIndex.load(target);
  const query = vectorOf(1000);
  expect(index.nearest(query, { k: 120 })).toEqual((await SearchIndex.load(whole)).nearest(query, { k: 120 }));
  expect(Buffer.compare(await index.save({ metadata }), readFileSync(target))).toBe(0);
});

test('an index written by others, with spaces in its JSON, is written as save would', async () => {
  const whole = await indexOf('f32', 0, 2).save();
  const content = await readSafetensors(whole);
  const spaced = new TextEncoder().encode(
    ' [ { "id" : "id 0" } , {"payload": ' + JSON.stringify(payloads[1]).replace(':', ' : ') + ', "id":"id 1" } ]\n',
  );
  const tensors = new Map(content.tensors).set('entries', { dtype: 'U8', shape: [spaced.length], data: spaced });
  const { writeSafetensors } = await import('quintet/safetensors');
  const other = await writeSafetensors(tensors, content.metadata);
  expect(Buffer.compare(await merged([other]), whole)).toBe(0);
});

describe('errors', () => {
  let good;
  beforeAll(async () => {
    good = await indexOf('int8', 0, 3).save();
  });

  test.each([
    ['no list', () => 'a.index', 'wrong_type'],
    ['an empty list', () => [], 'missing'],
    ['a stream', () => [streamOf(good, 100)], 'wrong_type'],
    ['a response', () => [new Response(good)], 'wrong_type'],
    ['a number', () => [good, 7], 'wrong_type'],
    ['another storage', async () => [good, await indexOf('binary', 0, 3).save()], 'mismatch'],
    [
      'another dimension',
      async () => [good, await new SearchIndex({ dimension: 3, storage: 'int8' }).save()],
      'mismatch',
    ],
  ])('%s', async (_, make, reason) => {
    expect(await failureOf(async () => SearchIndex.merge(await make()))).toMatchObject({ code: 'INPUT', reason });
  });

  test.each([
    ['an unknown option', { threads: 1 }, 'unknown_option'],
    ['metadata that are no strings', { metadata: { a: 1 } }, 'out_of_range'],
    ["metadata of the index's own", { metadata: { kind: 'mine' } }, 'duplicate'],
  ])('%s', async (_, options, reason) => {
    expect(await failureOf(SearchIndex.merge([good], options))).toMatchObject({ code: 'INPUT', reason });
    expect(await failureOf(indexOf('int8', 0, 1).save(options))).toMatchObject({ code: 'INPUT', reason });
  });

  test('a broken part, by its number and name', async () => {
    const path = join(folder, 'broken');
    writeFileSync(path, good.subarray(0, good.length - 1));
    const error = await failureOf(SearchIndex.merge([good, path]));
    expect(error).toMatchObject({ code: 'FORMAT', format: 'safetensors', reason: 'truncated' });
    expect(error.message).toMatch(/^index 1, .*broken: /);
    const missing = await failureOf(SearchIndex.merge([good, join(folder, 'missing')]));
    expect(missing).toMatchObject({ code: 'IO', reason: 'not_found' });
  });

  test('impossible values: the stream fails before it ends', async () => {
    const bad = good.slice();
    bad[bad.length - 1] = 0x80;
    expect(await failureOf(merged([good, bad]))).toMatchObject({
      code: 'FORMAT',
      reason: 'out_of_range',
      tensor: 'vectors',
    });
  });

  test('a signal ends it', async () => {
    const signal = AbortSignal.abort();
    expect(await failureOf(SearchIndex.merge([good], { signal }))).toMatchObject({ code: 'ABORTED' });
  });

  test('any changed byte: an error, or an index', async () => {
    const property = fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      const bytes = good.slice();
      bytes[at] ^= bits;
      const result = await merged([bytes]).catch((error) => error);
      if (result instanceof Error) expect([result.name, result.code]).toEqual(['QuintetError', 'FORMAT']);
      else expect((await SearchIndex.load(result)).size).toBe(3);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
