// inspect, validate, readTensor, convert.
import { capabilities, convert, Embedder, inspect, readTensor, validate } from 'quintet';
import { brokenFiles, fixtureBytes, recipesOf } from '../helpers/broken_files.mjs';
import { base, bytesOf, cases, expectRows, pathOf, texts } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { collect, streamOf } from '../helpers/streams.mjs';

describe.each(cases)('$id', ({ file, expect: expected }) => {
  test('a description, from every kind of source', async () => {
    const info = await inspect(pathOf(file));
    const { tensors, metadata, version } = expected.inspect;
    expect(info).toMatchObject({ format: 'weights', fileSize: bytesOf(file).length });
    if (version) expect(info.version).toEqual(version);
    if (metadata) expect(info.metadata).toMatchObject(metadata);
    for (const tensor of tensors ?? []) expect(info.tensors).toContainEqual(expect.objectContaining(tensor));
    expect(info.tokenizer.type).toBe('WordPiece');
    const bytes = bytesOf(file);
    for (const source of [bytes, new Blob([bytes]), streamOf(bytes, 777), new Response(bytes)]) {
      expect(await inspect(source)).toEqual(info);
    }
    expect(await validate(pathOf(file))).toMatchObject(info);
    const flat = info.kind.includes('flat');
    const embedder = await Embedder.load(pathOf(file), flat ? { attentionHeads: expected.attention_heads ?? 2 } : {});
    const { format, kind, fileSize } = info;
    expect(embedder.info).toMatchObject({ format, kind, fileSize, tensors: info.tensors });
    embedder.close();
  });
});

test('inspection does not read the weights', async () => {
  const file = bytesOf(base);
  let bytesRead = 0;
  const blob = new Blob([file]);
  const slice = blob.slice.bind(blob);
  blob.slice = (from, to) => {
    bytesRead += Math.min(to, file.length) - from;
    return slice(from, to);
  };
  const { tensors } = await inspect(blob);
  expect(bytesRead).toBeGreaterThan(0);
  expect(bytesRead).toBeLessThan(file.length);
  expect(tensors.length).toBeGreaterThan(0);
});

test('a tensor as float32', async () => {
  const name = 'embeddings.LayerNorm.weight';
  const file = bytesOf(base);
  const { offset, bytes, shape } = (await inspect(file)).tensors.find((tensor) => tensor.name === name);
  const stored = new Float32Array(file.slice(offset, offset + bytes).buffer);
  expect(await readTensor(streamOf(file, 999), name)).toEqual({ dtype: 'FLOAT32', shape, data: stored });
  const half = (await readTensor(pathOf('f16.weights'), name)).data;
  expect(half).toHaveLength(stored.length);
  half.forEach((x, i) => expect(Math.abs(x - stored[i])).toBeLessThanOrEqual(Math.abs(stored[i]) / 1024));
  expect(await failureOf(readTensor(file, 'none'))).toMatchObject({ code: 'INPUT' });
  expect(await failureOf(readTensor(file, 7))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
});

describe('convert', () => {
  test('a canonical file is unchanged', async () => {
    for (const file of ['f32.weights', 'f16.weights', 'int8-row.weights', 'int8-group-16.weights']) {
      const bytes = bytesOf(file);
      expect(Buffer.compare(await collect(convert(streamOf(bytes, 5001), { to: 'weights' })), bytes)).toBe(0);
    }
  });

  test('to int8 it is smaller and its vectors stay near', async () => {
    const file = await collect(convert(pathOf(base), { to: 'weights', quantize: 'int8-row' }));
    expect(file.length).toBeLessThan(bytesOf(base).length / 2);
    const [exact, rounded] = await Promise.all([Embedder.load(pathOf(base)), Embedder.load(file)]);
    expectRows(await rounded.embed(texts), await exact.embed(texts), 0.02);
    exact.close();
    rounded.close();
  });

  test('progress counts up to all tensors', async () => {
    const events = [];
    await collect(convert(pathOf(base), { to: 'weights', quantize: 'f16', onProgress: (event) => events.push(event) }));
    const count = (await inspect(pathOf(base))).tensors.length;
    expect(events.at(-1)).toMatchObject({ done: count, total: count });
    expect(events.map(({ done }) => done)).toEqual(events.map(({ done }) => done).sort((a, b) => a - b));
    expect(typeof events.at(-1).tensor).toBe('string');
  });

  test('when aborted or canceled it releases everything', async () => {
    const before = capabilities().memory.liveObjects;
    const controller = new AbortController();
    const options = { to: 'weights', quantize: 'int8-row', signal: controller.signal };
    const working = convert(pathOf(base), { ...options, onProgress: () => controller.abort() });
    expect(await failureOf(collect(working))).toMatchObject({ code: 'ABORTED' });
    expect(capabilities().memory.liveObjects).toBe(before);

    // A stream is collected first; it may never end.
    const watch = {};
    const stopper = new AbortController();
    let pulls = 0;
    const endless = new ReadableStream({
      async pull(stream) {
        if (++pulls === 30) stopper.abort();
        await new Promise(setImmediate);
        if (!watch.cancelled) stream.enqueue(new Uint8Array(10));
      },
      cancel: () => void (watch.cancelled = true),
    });
    const waiting = convert(endless, { ...options, signal: stopper.signal });
    expect(await failureOf(collect(waiting))).toMatchObject({ code: 'ABORTED' });
    expect(watch.cancelled).toBe(true);
    for await (const _ of convert(pathOf(base), { to: 'weights' })) break;
    expect(capabilities().memory.liveObjects).toBe(before);
  });

  test.each([
    [undefined, 'INPUT', 'missing'],
    [{}, 'INPUT', 'missing'],
    [{ to: 'onnx' }, 'INPUT', 'out_of_range'],
    [{ to: 'weights', quantize: 'int3' }, 'INPUT', 'out_of_range'],
    [{ to: 'weights', groupSize: -1 }, 'INPUT', 'out_of_range'],
    [{ to: 'amb', scaleType: 'f32' }, 'INPUT', 'out_of_range'],
    [{ to: 'amb', bits: 0 }, 'INPUT', 'out_of_range'],
    [{ to: 'amb', observer: 'mean' }, 'INPUT', 'out_of_range'],
    [{ to: 'tinyruntime', quantize: 'sq8', calibration: 7 }, 'INPUT', 'out_of_range'],
    [{ to: 'tinyruntime', quantize: 'dq8', calibration: [] }, 'INPUT', 'mismatch'],
    [{ to: 'weights', metadata: [] }, 'INPUT', 'out_of_range'],
    [{ to: 'weights', speed: 1 }, 'INPUT', 'unknown_option'],
  ])('rejects %j', async (options, code, reason) => {
    expect(await failureOf(async () => convert(bytesOf(base), options))).toMatchObject({ code, reason });
  });

  test('rejects files that are not models', async () => {
    expect(await failureOf(async () => convert({}, { to: 'weights' }))).toMatchObject({ code: 'INPUT' });
    expect(await failureOf(async () => convert(undefined, { to: 'weights' }))).toMatchObject({ code: 'INPUT' });
    expect(await failureOf(collect(convert(new Uint8Array(100), { to: 'weights' })))).toMatchObject({ code: 'FORMAT' });
  });
});

describe('broken files', () => {
  test.each(recipesOf('weights'))('$id: $about', async (recipe) => {
    const { expect: outcome, when } = recipe;
    for (const file of brokenFiles(recipe)) {
      for (const open of [inspect, validate, (bytes) => Embedder.load(bytes, { format: 'weights' })]) {
        const isLoad = open !== inspect && open !== validate;
        try {
          (await open(file)).close?.();
          if (outcome === 'error' && !when) throw new Error(`accepted by ${isLoad ? 'load' : open.name}`);
        } catch (error) {
          if (outcome === 'ok') throw error;
          expect(error.name).toBe('QuintetError');
          expect(['FORMAT', 'UNSUPPORTED', 'INPUT', 'MEMORY']).toContain(error.code);
          if (isLoad) expect(`${error.format} ${error.message}`).toMatch(/weights|embd/i);
          const longest = Math.max(file.length, fixtureBytes(recipe.base).length);
          if (isLoad && !when) expect(error.offset).toBeLessThanOrEqual(longest);
        }
      }
    }
    expect(capabilities().memory.liveObjects).toBe(0);
  });
});
