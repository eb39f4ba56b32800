// inspect, validate, readTensor and convert in this thread and in a worker: the same answers, aborts, progress, their
// own module.
import { readFileSync } from 'node:fs';
import { convert, inspect, readTensor, validate } from 'quintet';
import { base, bytesOf, pathOf } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { run } from '../helpers/program.mjs';
import { streamOf } from '../helpers/streams.mjs';

const file = bytesOf(base);
const wasm = new URL('../../../dist/quintet-files.wasm', import.meta.url);
const name = 'embeddings.LayerNorm.weight';
const collect = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
const sources = [
  ['a path', () => pathOf(base)],
  ['bytes', () => bytesOf(base)],
  ['a Blob', () => new Blob([file])],
  ['a stream', () => streamOf(file, 10_000)],
];

describe.each([
  ['in this thread', false],
  ['in a worker', true],
])('%s', (_, worker) => {
  test.each(sources)('%s', async (__, source) => {
    const info = await inspect(source(), { worker });
    expect(info).toMatchObject({ format: 'weights', fileSize: file.length });
    expect((await validate(source(), { worker })).tensors).toEqual(info.tensors);
    const { dtype, shape, data } = await readTensor(source(), name, { worker });
    const { offset } = info.tensors.find((tensor) => tensor.name === name);
    const stored = new Float32Array(file.slice(offset, offset + 4 * data.length).buffer);
    expect({ dtype, shape, data }).toEqual({ dtype: 'FLOAT32', shape: [32], data: stored });
    const options = { to: 'safetensors', worker };
    expect(
      Buffer.compare(await collect(convert(source(), options)), await collect(convert(file, { to: 'safetensors' }))),
    ).toBe(0);
  });

  test('bytes stay the caller’s', async () => {
    const bytes = bytesOf(base);
    await validate(bytes, { worker });
    await collect(convert(bytes, { to: 'weights', worker }));
    expect(Buffer.compare(bytes, file)).toBe(0);
  });

  test.each(['inspect', 'validate'])('%s reports progress', async (method) => {
    const events = [];
    await { inspect, validate }[method](file, { worker, onProgress: (event) => events.push(event) });
    expect([...new Set(events.map(({ stage }) => stage))]).toEqual(['compile', 'download']);
    for (const stage of ['compile', 'download']) {
      const own = events.filter((event) => event.stage === stage);
      expect(own[0].loaded).toBe(0);
      expect(own.map(({ loaded }) => loaded)).toEqual(own.map(({ loaded }) => loaded).sort((a, b) => a - b));
      if (own[0].total !== undefined) expect(own.at(-1).loaded).toBe(own[0].total);
    }
    if (method === 'validate')
      expect(events.at(-1)).toEqual({ stage: 'download', loaded: file.length, total: file.length });
    else expect(events.at(-1).loaded).toBeLessThanOrEqual(file.length);
  });

  test('errors thrown by onProgress reach the caller', async () => {
    const thrown = new Error('enough');
    const onProgress = () => {
      throw thrown;
    };
    await expect(validate(file, { worker, onProgress })).rejects.toBe(thrown);
    expect((await inspect(file, { worker })).format).toBe('weights');
  });

  test('an abort ends it, and the source', async () => {
    for (const call of [inspect, validate, (source, options) => readTensor(source, name, options)]) {
      const reason = new Error('no more');
      const controller = new AbortController();
      let hanging;
      const cancelled = new Promise((cancel) => {
        hanging = new ReadableStream({
          start: (stream) => stream.enqueue(file.subarray(0, 100)),
          pull: () => void setImmediate(() => controller.abort(reason)),
          cancel,
        });
      });
      const error = await failureOf(call(hanging, { worker, signal: controller.signal }));
      expect(error).toMatchObject({ code: 'ABORTED', cause: reason });
      await cancelled;
    }
  });

  test('an abort ends a conversion', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const stream = convert(file, { to: 'safetensors', worker, signal: controller.signal, onProgress });
    expect(await failureOf(collect(stream))).toMatchObject({ code: 'ABORTED' });
  });

  test('a source that fails is the cause', async () => {
    const cause = new Error('the tape is torn');
    async function* failing() {
      yield file.subarray(0, 100);
      throw cause;
    }
    for (const call of [inspect, validate]) {
      expect(await failureOf(call(failing(), { worker }))).toMatchObject({ code: 'IO', reason: 'read_failed', cause });
    }
    expect(await failureOf(collect(convert(failing(), { to: 'weights', worker })))).toMatchObject({
      code: 'IO',
      cause,
    });
  });

  test('a module of the caller', async () => {
    const info = await inspect(file, { worker, wasm: readFileSync(wasm) });
    expect(info.format).toBe('weights');
    expect(await failureOf(inspect(file, { worker, wasm: new Uint8Array(8) }))).toMatchObject({
      code: 'IO',
      reason: 'wasm',
    });
  });

  test('calibration pictures go to the conversion', async () => {
    const source = fixturePath('tinyruntime/small-vanilla.bin');
    const picture = {
      data: new Uint8Array(3 * 32 * 32).map((_value, i) => i % 251),
      width: 32,
      height: 32,
      channels: 3,
    };
    const converted = async (options) => collect(convert(source, { to: 'tinyruntime', quantize: 'sq8', ...options }));
    const file = await converted({ calibration: [picture, picture], worker });
    expect(await validate(file)).toMatchObject({ format: 'tinyruntime', kind: 'sq8' });
    expect(await failureOf(converted({ calibration: [], worker }))).toMatchObject({ code: 'INPUT', reason: 'missing' });
    expect(await failureOf(converted({ calibration: ['cat'], worker }))).toMatchObject({
      code: 'INPUT',
      reason: 'wrong_type',
    });
  });
});

test.each([
  ['inspect', (options) => inspect(file, options)],
  ['validate', (options) => validate(file, options)],
  ['readTensor', (options) => readTensor(file, name, options)],
])('%s rejects unknown options', async (_, call) => {
  expect(await failureOf(call({ colour: 1 }))).toMatchObject({ code: 'INPUT', reason: 'unknown_option' });
  expect(await failureOf(call({ threads: 2 }))).toMatchObject({ code: 'UNSUPPORTED', reason: 'unsupported' });
  expect(await failureOf(call({ signal: 7 }))).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
});

test('a folder is rejected by functions that take one file', async () => {
  const error = await failureOf(inspect(fixturePath('embd')));
  expect(error).toMatchObject({ code: 'IO', reason: 'not_a_file', message: expect.stringMatching(/one of its files/) });
});

test('the worker of the calls keeps no process alive', async () => {
  const answer = await run(`
    import { inspect } from 'quintet';
    const { format } = await inspect(${JSON.stringify(pathOf(base))}, { worker: true });
    console.log(JSON.stringify(format));`);
  expect(answer).toBe('weights');
});
