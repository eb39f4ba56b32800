// Loading: options, progress, aborts, integrity.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { capabilities, Embedder, modelCache } from 'quintet';
import { base, bytesOf, pathOf } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { streamOf } from '../helpers/streams.mjs';

const file = bytesOf(base);
const sha256 = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
const threads = [
  ['in this thread', false],
  ['in a worker', true],
];

describe('options', () => {
  test.each([
    [{ colour: 'red' }, 'INPUT', 'unknown_option'],
    [{ toString: 1 }, 'INPUT', 'unknown_option'],
    ['fast', 'INPUT', 'wrong_type'],
    [{ format: 'onnx' }, 'INPUT', 'out_of_range'],
    [{ format: 'amb' }, 'UNSUPPORTED', 'unsupported'],
    [{ threads: 0 }, 'INPUT', 'out_of_range'],
    [{ threads: 1.5 }, 'INPUT', 'out_of_range'],
    [{ threads: 65 }, 'INPUT', 'out_of_range'],
    [{ threads: 'many' }, 'INPUT', 'out_of_range'],
    [{ worker: 'yes' }, 'INPUT', 'out_of_range'],
    [{ variant: 'fast' }, 'INPUT', 'out_of_range'],
    [{ memory64: true }, 'UNSUPPORTED', 'unsupported'],
    [{ cache: '' }, 'INPUT', 'out_of_range'],
    [{ cache: 7 }, 'INPUT', 'out_of_range'],
    [{ quantize: 'int4' }, 'INPUT', 'out_of_range'],
    [{ quantize: 'int7' }, 'INPUT', 'out_of_range'],
    [{ contextLength: 100 }, 'UNSUPPORTED', 'unsupported'],
    [{ integrity: 'md5-x' }, 'INPUT', 'out_of_range'],
    [{ attentionHeads: 0 }, 'INPUT', 'out_of_range'],
    [{ onProgress: 1 }, 'INPUT', 'out_of_range'],
    [{ signal: {} }, 'INPUT', 'out_of_range'],
    [{ wasm: 7 }, 'INPUT', 'out_of_range'],
  ])('%j', async (options, code, reason) => {
    expect(await failureOf(() => Embedder.load(pathOf(base), options))).toMatchObject({ code, reason });
  });

  // In Node, whose cache is the Hub's folder, `cache` does nothing.
  test.each([false, true, 'name'])('those that ask for nothing special are taken, with cache: %j', async (cache) => {
    const options = { threads: 'auto', memory64: 'auto', cache, quantize: 'none', worker: undefined };
    const embedder = await Embedder.load(pathOf(base), options);
    expect(embedder.info.runtime).toMatchObject({ worker: false });
    embedder.close();
  });
});

describe.each(threads)('%s', (_, worker) => {
  test('progress goes stage by stage and ends at the total', async () => {
    const events = [];
    (await Embedder.load(streamOf(file, 10_000), { worker, onProgress: (event) => events.push(event) })).close();
    (await Embedder.load(file, { worker, onProgress: (event) => events.push(event) })).close();
    const stages = [];
    for (const event of events) {
      if (stages.at(-1)?.[0].stage !== event.stage) stages.push([]);
      stages.at(-1).push(event);
    }
    expect(stages.map(([{ stage }]) => stage)).toEqual([
      ...['compile', 'download', 'prepare'],
      ...['compile', 'download', 'prepare'],
    ]);
    for (const stage of stages) {
      const loaded = stage.map((event) => event.loaded);
      expect(loaded[0]).toBe(0);
      expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
      expect(new Set(stage.map(({ total }) => total)).size).toBe(1);
      expect(loaded.at(-1)).toBe(stage[0].total ?? file.length);
    }
    // In this thread the engine of an earlier load runs already.
    const { variant } = capabilities().runtime;
    const module = `../../../dist/quintet-embedder-${variant}.wasm`;
    const moduleBytes = worker ? statSync(new URL(module, import.meta.url)).size : 1;
    for (const compile of [stages[0], stages[3]])
      expect(compile.at(-1)).toEqual({ stage: 'compile', loaded: moduleBytes, total: moduleBytes });
    expect(stages[1].length).toBeGreaterThan(10);
    expect(stages[1][0].total).toBeUndefined();
    expect(stages[4][0].total).toBe(file.length);
  });

  test('an error thrown by onProgress ends the load and reaches the caller', async () => {
    const thrown = new Error('enough');
    const watch = {};
    const onProgress = ({ loaded }) => {
      if (loaded > 20_000) throw thrown;
    };
    await expect(Embedder.load(streamOf(file, 10_000, watch), { worker, onProgress })).rejects.toBe(thrown);
    expect(watch.cancelled).toBe(true);
  });

  test.each([0, 1, 55, 56, 63, 64, 65, 10_000])('integrity with chunks cut at %d', async (at) => {
    const source = async function* () {
      yield file.subarray(0, at);
      yield file.subarray(at);
    };
    (await Embedder.load(source(), { worker, integrity: sha256(file) })).close();
  });

  test('other bytes than `integrity` names are rejected', async () => {
    const integrity = sha256(file.subarray(1));
    const error = await failureOf(() => Embedder.load(file, { worker, integrity }));
    expect(error).toMatchObject({ code: 'IO', reason: 'integrity' });
  });

  test('an abort ends a load that waits for its source', async () => {
    const reason = new Error('changed my mind');
    const controller = new AbortController();
    let cancelled = false;
    const hanging = new ReadableStream({
      start: (stream) => stream.enqueue(file.subarray(0, 1000)),
      pull: () => void setImmediate(() => controller.abort(reason)),
      cancel: () => void (cancelled = true),
    });
    const loading = Embedder.load(hanging, { worker, signal: controller.signal });
    expect(await failureOf(loading)).toMatchObject({ code: 'ABORTED', reason: 'aborted', cause: reason });
    expect(cancelled).toBe(true);
  });

  test('an abort before the load begins', async () => {
    const error = await failureOf(() => Embedder.load(file, { worker, signal: AbortSignal.abort() }));
    expect(error.code).toBe('ABORTED');
    expect(error.cause.name).toBe('AbortError');
  });

  test('info says where it runs', async () => {
    const embedder = await Embedder.load(file, { worker });
    expect(embedder.info.runtime.worker).toBe(worker);
    expect(capabilities().runtime).toEqual(embedder.info.runtime);
    embedder.close();
  });
});

test('failed loads leave nothing behind', async () => {
  const before = capabilities().memory.liveObjects;
  const spoilt = file.slice();
  spoilt[spoilt.length - 1] ^= 1;
  for (let cut = 0; cut < file.length; cut += 9973) await failureOf(() => Embedder.load(file.subarray(0, cut)));
  await failureOf(() => Embedder.load(spoilt));
  await failureOf(() => Embedder.load(file, { integrity: sha256(spoilt) }));
  expect(capabilities().memory.liveObjects).toBe(before);
});

test('outside of browsers no file is kept, without an error', async () => {
  expect(await modelCache.list()).toEqual([]);
  expect(await modelCache.size()).toBe(0);
  expect(await modelCache.delete('a')).toBe(false);
  expect(await failureOf(() => modelCache.delete(7))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
  await modelCache.clear();
});
