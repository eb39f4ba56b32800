// The search index against brute force in float64, and its file.
import fc from 'fast-check';
import { SearchIndex } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { run } from '../helpers/program.mjs';
import { streamOf } from '../helpers/streams.mjs';

/** Seeded vectors of length 1. */
function vectorsOf(count, dimension, seed = 1) {
  let state = seed >>> 0;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimension }, next);
    const length = Math.hypot(...vector);
    return vector.map((x) => x / length);
  });
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** Indices of the k nearest, ties in order. */
function nearest(vectors, query, k, wanted = () => true) {
  return vectors
    .map((vector, i) => ({ i, score: dot(vector, query) }))
    .filter(({ i }) => wanted(i))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .slice(0, k);
}

function indexOf(vectors, storage, payload = (i) => ({ i })) {
  const index = new SearchIndex({ dimension: vectors[0].length, storage });
  vectors.forEach((vector, i) => index.add({ id: `id ${i}`, vector, payload: payload(i) }));
  return index;
}

const storages = ['f32', 'int8', 'binary'];
const scoreTolerance = { f32: 1e-6, int8: 0.01, binary: 0.01 };

// Neighbours closer to each other than eight bits can tell, rows of very different lengths, and a query of another
// scale.
test('f32 ranks exactly what its int8 sketches cannot distinguish', () => {
  const [centre, query] = vectorsOf(2, 96, 5);
  const vectors = vectorsOf(3000, 96, 6).map((noise, i) =>
    i % 3 === 0 ? centre.map((x, j) => x + 0.01 * noise[j]) : noise.map((x) => x * (i % 7 === 0 ? 40 : 0.01)),
  );
  const index = indexOf(vectors, 'f32');
  for (const scale of [1, 1e-3, 250]) {
    const scaled = query.map((x) => x * scale);
    const hits = index.nearest(scaled, { k: 50 });
    const best = nearest(vectors, scaled, 50);
    expect(hits).toHaveLength(50);
    hits.forEach(({ score }, rank) => expect(Math.abs(score / best[rank].score - 1)).toBeLessThanOrEqual(2e-6));
  }
  for (const neighbour of vectors.filter((_, i) => i % 300 === 0)) {
    const hits = index.nearest(neighbour, { k: 20, filter: ({ i }) => i % 3 === 0 });
    nearest(vectors, neighbour, 20, (i) => i % 3 === 0).forEach(({ score }, rank) =>
      expect(Math.abs(hits[rank].score - score)).toBeLessThanOrEqual(1e-6),
    );
  }
});

/** Integers and their scale. */
function rounded(vector) {
  const scale = Math.fround(Math.max(...vector.map(Math.abs)) / 127);
  return { q: Array.from(vector, (x) => Math.round(x / scale)), scale };
}

// Enough rows that most are compared with the best ones so far, of lengths from 2^-8 to 2^7.
test.each([
  ['positive', 1],
  ['negative', -1],
])('int8 ranks vectors of very different lengths by their rounded values, %s scores', (_, sign) => {
  const [query] = vectorsOf(1, 16, 8);
  const vectors = vectorsOf(20_000, 16, 9).map((vector, i) => {
    const turned = Math.sign(dot(vector, query)) === sign ? 1 : -1;
    return vector.map((x) => x * turned * 2 ** ((i % 16) - 8));
  });
  const hits = indexOf(vectors, 'int8').nearest(query, { k: 500 });
  const asked = rounded(query);
  const best = vectors
    .map(rounded)
    .map(({ q, scale }, i) => ({ id: `id ${i}`, score: dot(q, asked.q) * scale * asked.scale, payload: { i } }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 500);
  expect(Math.sign(best.at(-1).score)).toBe(sign);
  expect(hits).toEqual(best);
});

describe.each(storages)('%s', (storage) => {
  test.each([1, 2, 3, 4, 15, 16, 17, 33, 100, 384])('finds what brute force finds, dimension %d', (dimension) => {
    const vectors = vectorsOf(1000, dimension, dimension);
    const index = indexOf(vectors, storage);
    expect(index.size).toBe(1000);
    for (const query of vectorsOf(5, dimension, 99)) {
      const hits = index.nearest(query, { k: 7 });
      const best = nearest(vectors, query, 7);
      expect(hits).toHaveLength(7);
      hits.forEach(({ id, score, payload }, rank) => {
        expect(id).toBe(`id ${payload.i}`);
        expect(Math.abs(score - dot(vectors[payload.i], query))).toBeLessThanOrEqual(scoreTolerance[storage]);
        // Signs alone may miss a near one.
        if (storage === 'binary') return;
        expect(Math.abs(score - best[rank].score)).toBeLessThanOrEqual(scoreTolerance[storage]);
      });
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    }
  });

  test('removed entries are gone, and their places are reused', () => {
    const vectors = vectorsOf(600, 32);
    const index = indexOf(vectors, storage);
    for (let i = 0; i < 600; i += 2) expect(index.remove(`id ${i}`)).toBe(true);
    expect(index.remove('id 0')).toBe(false);
    expect(index.size).toBe(300);
    const hits = index.nearest(vectors[4], { k: 600 });
    expect(hits).toHaveLength(300);
    expect(hits.every(({ payload }) => payload.i % 2 === 1)).toBe(true);
    index.add({ id: 'new', vector: vectors[4] });
    expect(index.nearest(vectors[4], { k: 1 })[0].id).toBe('new');
  });

  test('an existing id gets the new vector', () => {
    const [a, b] = vectorsOf(2, 32);
    const index = indexOf([a], storage);
    index.add({ id: 'id 0', vector: b, payload: 'changed' });
    expect(index.size).toBe(1);
    expect(index.nearest(b)[0]).toMatchObject({ id: 'id 0', payload: 'changed' });
    expect(index.nearest(b)[0].score).toBeCloseTo(1, 2);
  });

  test('equal scores are in the order in which entries were added', () => {
    const [vector] = vectorsOf(1, 48);
    const index = indexOf(Array(700).fill(vector), storage);
    index.remove('id 3');
    index.add({ id: 'last', vector });
    expect(index.nearest(vector, { k: 5 }).map(({ id }) => id)).toEqual(['id 0', 'id 1', 'id 2', 'id 4', 'id 5']);
    expect(index.nearest(vector, { k: 1000 }).at(-1).id).toBe('last');
  });

  test('a filter excludes entries by their payload', () => {
    const vectors = vectorsOf(1000, 64);
    const index = indexOf(vectors, storage);
    const query = vectorsOf(1, 64, 5)[0];
    const hits = index.nearest(query, { k: 4, filter: ({ i }) => i % 10 === 0 });
    const expected = nearest(vectors, query, 4, (i) => i % 10 === 0).map(({ i }) => i);
    expect(hits.map(({ payload }) => payload.i)).toEqual(expected);
  });

  test('zero vectors and empty indexes', () => {
    const index = new SearchIndex({ dimension: 8, storage });
    expect(index.nearest(new Float32Array(8))).toEqual([]);
    index.add({ id: '', vector: new Float32Array(8) });
    expect(index.nearest(new Float32Array(8).fill(1))).toEqual([{ id: '', score: 0 }]);
    expect(index.nearest(new Float32Array(8))).toEqual([{ id: '', score: 0 }]);
  });

  test('after saving and loading it answers the same, and saves the same bytes', async () => {
    const vectors = vectorsOf(300, 40);
    const index = indexOf(vectors, storage, (i) => (i % 3 ? { i, text: 'größer 😀' } : undefined));
    index.remove('id 17');
    index.add({ id: '__proto__', vector: vectors[3], payload: [null, 1] });
    const bytes = await index.save();
    const loaded = await SearchIndex.load(streamOf(bytes, 1000));
    expect(loaded).toMatchObject({ size: 300, dimension: 40, storage });
    expect(Buffer.compare(await loaded.save(), bytes)).toBe(0);
    for (const query of vectorsOf(3, 40, 7)) {
      expect(loaded.nearest(query, { k: 20 })).toEqual(index.nearest(query, { k: 20 }));
    }
    const empty = await SearchIndex.load(await new SearchIndex({ dimension: 3, storage }).save());
    expect(empty.size).toBe(0);
  });
});

test('int8 and binary find nearly everything that float32 finds', () => {
  const vectors = vectorsOf(5000, 384);
  const queries = vectorsOf(20, 384, 77);
  for (const [storage, least] of [
    ['int8', 0.95],
    ['binary', 0.7],
  ]) {
    const index = indexOf(vectors, storage);
    let found = 0;
    for (const query of queries) {
      const best = new Set(nearest(vectors, query, 10).map(({ i }) => i));
      found += index.nearest(query).filter(({ payload }) => best.has(payload.i)).length;
    }
    expect(found / 200).toBeGreaterThanOrEqual(least);
  }
});

test('any sequence of changes leaves what a Map would hold', () => {
  const change = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 7 }));
  const property = fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
    const pool = vectorsOf(8, 5);
    const index = new SearchIndex({ dimension: 5 });
    const model = new Map();
    for (const [add, id, vector] of changes) {
      if (add) {
        index.add({ id: String(id), vector: pool[vector], payload: vector });
        model.set(String(id), vector);
      } else expect(index.remove(String(id))).toBe(model.delete(String(id)));
    }
    const ids = [...model.keys()];
    const expected = nearest(
      ids.map((id) => pool[model.get(id)]),
      pool[0],
      100,
    ).map(({ i }) => ids[i]);
    expect(index.nearest(pool[0], { k: 100 }).map(({ id }) => id)).toEqual(expected);
  });
  fc.assert(property, { numRuns: 200 });
});

test('without WebAssembly the results are the same to the last bit', async () => {
  const program = (before) => `
    ${before}
    const { SearchIndex } = await import('quintet');
    const answers = [];
    let state = 1;
    const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
    for (const storage of ${JSON.stringify(storages)}) {
      for (const dimension of [1, 5, 48, 129]) {
        const index = new SearchIndex({ dimension, storage });
        const vector = () => Float32Array.from({ length: dimension }, next);
        for (let i = 0; i < 700; ++i) index.add({ id: String(i), vector: vector() });
        answers.push(index.nearest(vector(), { k: 20 }));
        const late = new SearchIndex({ dimension, storage, vectors: 'multi', keywords: false });
        const tokens = (count) => Float32Array.from({ length: count * dimension }, next);
        for (let id = 0; id < 300; ++id) late.add({ id, tokens: tokens(1 + (id % 7)) });
        answers.push(await late.search('', { vector: tokens(5), mode: 'vector', k: 20 }));
      }
    }
    console.log(JSON.stringify(answers));`;
  const withKernels = await run(program(''));
  expect(withKernels.map((hits) => hits.length)).toEqual(Array(24).fill(20));
  expect(await run(program('delete globalThis.WebAssembly;'))).toEqual(withKernels);
});

describe('errors', () => {
  const index = indexOf(vectorsOf(2, 4), 'f32');
  const vector = new Float32Array(4);
  test.each([
    ['no dimension', () => new SearchIndex({}), 'missing'],
    ['dimension 0', () => new SearchIndex({ dimension: 0 }), 'out_of_range'],
    ['a storage', () => new SearchIndex({ dimension: 4, storage: 'f16' }), 'out_of_range'],
    ['another option', () => new SearchIndex({ dimension: 4, metric: 'l2' }), 'unknown_option'],
    ['an id that is neither a string nor a number', () => index.add({ id: true, vector }), 'wrong_type'],
    ['an array as a vector', () => index.add({ id: 'a', vector: [1, 2, 3, 4] }), 'wrong_type'],
    ['a vector of another length', () => index.add({ id: 'a', vector: new Float32Array(5) }), 'mismatch'],
    ['NaN', () => index.add({ id: 'a', vector: Float32Array.of(1, NaN, 0, 0) }), 'out_of_range'],
    ['infinity', () => index.nearest(Float32Array.of(1, Infinity, 0, 0)), 'out_of_range'],
    ['a query of another length', () => index.nearest(new Float32Array(3)), 'mismatch'],
    ['k 0', () => index.nearest(vector, { k: 0 }), 'out_of_range'],
    ['k 1.5', () => index.nearest(vector, { k: 1.5 }), 'out_of_range'],
    ['a filter that is none', () => index.nearest(vector, { filter: 'x' }), 'out_of_range'],
    ['an unknown search option', () => index.nearest(vector, { limit: 1 }), 'unknown_option'],
  ])('%s', async (_, call, reason) => {
    expect(await failureOf(async () => call())).toMatchObject({ code: 'INPUT', reason });
    expect(index.size).toBe(2);
  });

  test('a filter that throws ends the search', () => {
    const thrown = new Error('not this one');
    const filter = () => {
      throw thrown;
    };
    expect(() => index.nearest(vector, { filter })).toThrow(thrown);
  });

  const cycle = {};
  cycle.self = cycle;
  test.each([
    ['a cycle', cycle],
    ['a bigint', 1n],
    ['a function', Math.abs],
  ])('saving %s', async (_, payload) => {
    const bad = new SearchIndex({ dimension: 1 });
    bad.add({ id: 'a', vector: Float32Array.of(1), payload });
    expect(await failureOf(bad.save())).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
  });
});

describe('hostile files', () => {
  let saved;
  beforeAll(async () => {
    saved = await indexOf(vectorsOf(3, 4), 'int8').save();
  });
  const header = (bytes) => JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerBytes(bytes))));
  const headerBytes = (bytes) => Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  /** The file with another header. */
  const withHeader = (text) => {
    const json = new TextEncoder().encode(text);
    const prefix = new Uint8Array(8);
    new DataView(prefix.buffer).setBigUint64(0, BigInt(json.length), true);
    return Buffer.concat([prefix, json, saved.subarray(8 + headerBytes(saved))]);
  };
  const edited = (edit) => {
    const object = header(saved);
    edit(object);
    return withHeader(JSON.stringify(object));
  };
  const withData = (name, edit) => {
    const bytes = saved.slice();
    const [begin, end] = header(saved)[name].data_offsets;
    edit(bytes.subarray(8 + headerBytes(saved)).subarray(begin, end));
    return bytes;
  };

  test('cut at every byte', async () => {
    for (let cut = 0; cut < saved.length; ++cut) {
      const error = await failureOf(SearchIndex.load(saved.subarray(0, cut)));
      expect(error).toMatchObject({ code: 'FORMAT', format: 'safetensors' });
    }
  });

  test.each([
    ['a byte more', () => Buffer.concat([saved, Buffer.of(0)]), 'trailing'],
    [
      'a header of 2^63 bytes',
      () => {
        const b = saved.slice();
        b[7] = 0x80;
        return b;
      },
      'limit',
    ],
    ['no JSON', () => withHeader('{"a"'), 'malformed'],
    ['no object', () => withHeader('[1, 2]'), 'bad_magic'],
    ['a key twice', () => withHeader(JSON.stringify(header(saved)).replace('{', '{"__metadata__":{},')), 'duplicate'],
    ['another kind', () => edited((h) => (h.__metadata__.kind = 'x')), 'bad_magic'],
    ['another version', () => edited((h) => (h.__metadata__.version = '1')), 'bad_version'],
    ['metadata that are numbers', () => edited((h) => (h.__metadata__.version = 1)), 'malformed'],
    ['another storage', () => edited((h) => (h.__metadata__.storage = 'f16')), 'unknown_value'],
    ['the wrong storage', () => edited((h) => (h.__metadata__.storage = 'f32')), 'mismatch'],
    ['a dimension of zero', () => edited((h) => (h.__metadata__.dimension = '0')), 'out_of_range'],
    ['another dimension', () => edited((h) => (h.__metadata__.dimension = '3')), 'mismatch'],
    ['an unknown type', () => edited((h) => (h.scales.dtype = 'Q4')), 'unknown_value'],
    ['a shape that lies', () => edited((h) => (h.scales.shape = [4])), 'mismatch'],
    ['a shape of huge numbers', () => edited((h) => (h.scales.shape = [2 ** 40, 2 ** 40])), 'mismatch'],
    ['a negative shape', () => edited((h) => (h.scales.shape = [-3])), 'malformed'],
    ['data outside', () => edited((h) => (h.scales.data_offsets = [0, 1e9])), 'mismatch'],
    ['data that overlap', () => edited((h) => (h.entries.data_offsets = [0, h.entries.shape[0]])), 'malformed'],
    ['an unknown key', () => edited((h) => (h.scales.x = 1)), 'unknown_value'],
    [
      'a missing tensor',
      () =>
        edited((h) => {
          h.other = h.entries;
          delete h.entries;
        }),
      'missing',
    ],
    ['a value of -128', () => withData('vectors', (data) => (data[5] = 0x80)), 'out_of_range'],
    ['a scale that is not finite', () => withData('scales', (data) => data.set([0, 0, 0x80, 0x7f])), 'out_of_range'],
    ['a negative scale', () => withData('scales', (data) => (data[3] |= 0x80)), 'out_of_range'],
    ['entries that are no JSON', () => withData('entries', (data) => (data[0] = 0x7b)), 'malformed'],
    ['an id twice', () => withData('entries', (data) => (data[data.indexOf(0x31)] = 0x30)), 'duplicate'],
    ['text that is not UTF-8', () => withData('entries', (data) => (data[8] = 0xff)), 'malformed'],
  ])('%s', async (_, make, reason) => {
    const error = await failureOf(async () => SearchIndex.load(make()));
    expect(error).toMatchObject({ code: 'FORMAT', format: 'safetensors', reason });
  });

  test('any changed byte: an index or a clean error', async () => {
    const change = fc.integer({ min: 1, max: 255 });
    const property = fc.asyncProperty(fc.nat(saved.length - 1), change, async (at, bits) => {
      const bytes = saved.slice();
      bytes[at] ^= bits;
      await SearchIndex.load(bytes).catch(({ name, code }) => expect([name, code]).toEqual(['QuintetError', 'FORMAT']));
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

test('a closed index no longer answers', async () => {
  const index = new SearchIndex({ dimension: 2 });
  const vector = Float32Array.of(1, 0);
  index.add({ id: 'a', vector });
  const saved = await index.save();
  index.close();
  index.close();
  const closed = expect.objectContaining({ name: 'QuintetError', code: 'CLOSED' });
  for (const call of [() => index.nearest(vector), () => index.add({ id: 'b', vector }), () => index.remove('a')])
    expect(call).toThrow(closed);
  await expect(index.save()).rejects.toEqual(closed);
  const loaded = await SearchIndex.load(saved);
  loaded[Symbol.dispose]();
  expect(() => loaded.nearest(vector)).toThrow(closed);
});
