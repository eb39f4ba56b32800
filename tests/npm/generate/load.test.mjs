// Loading text generators: options, progress, sources of one file and of several.
import { createHash } from 'node:crypto';
import { capabilities, Embedder, TextGenerator } from 'quintet';
import { pathOf } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { argmax, runCases, story, threads, withGenerator } from '../helpers/generator_fixtures.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { streamOf } from '../helpers/streams.mjs';

const [{ path, ids, greedy }] = runCases;
const file = fixtureFile(path);

test.each([
  [{ colour: 'red' }, 'INPUT', 'unknown_option'],
  ['fast', 'INPUT', 'wrong_type'],
  [{ format: 'onnx' }, 'INPUT', 'out_of_range'],
  [{ format: 'weights' }, 'UNSUPPORTED', 'unsupported'],
  [{ contextLength: 0 }, 'INPUT', 'out_of_range'],
  [{ kvCache: 'f8' }, 'INPUT', 'out_of_range'],
  [{ quantize: 'int7' }, 'INPUT', 'out_of_range'],
  [{ attentionHeads: 4 }, 'UNSUPPORTED', 'unsupported'],
  [{ threads: 65 }, 'INPUT', 'out_of_range'],
  [{ memory64: 'yes' }, 'INPUT', 'out_of_range'],
  [{ cache: '' }, 'INPUT', 'out_of_range'],
])('option %j', async (options, code, reason) => {
  expect(await failureOf(() => TextGenerator.load(fixturePath(path), options))).toMatchObject({ code, reason });
});

test('a generator is a TextGenerator, and info describes its environment', () =>
  withGenerator(
    fixturePath(path),
    { format: 'amb', contextLength: 17, kvCache: 'int8', cache: true },
    async (generator) => {
      expect(generator).toBeInstanceOf(TextGenerator);
      expect(generator.contextLength).toBe(17);
      expect(generator.info).toMatchObject({ format: 'amb', fileSize: file.length, runtime: { worker: false } });
      expect(capabilities().runtime).toEqual(generator.info.runtime);
      const error = await failureOf(generator.generate(Array(18).fill(1)).text());
      expect(error).toMatchObject({ code: 'INPUT', reason: 'limit' });
    },
  ));

test.each(['int8', 'int4'])('weights become %s while they are read', (quantize) =>
  withGenerator(story, { quantize }, async (generator) => {
    const text = await generator.generate('Once upon a time', { temperature: 0, maxTokens: 20 }).text();
    expect(text).toMatch(/^[ ,.\w"!?']+$/);
    await withGenerator(story, {}, async (whole) => {
      expect(generator.info.memory.weights).toBeLessThan(whole.info.memory.weights);
    });
  }),
);

test.each(['f32', 'f16', 'int8', 'int4'])('a KV cache of %s', (kvCache) =>
  withGenerator(story, { kvCache }, async (generator) => {
    const ids = [...(await generator.tokenize('Once upon a'))];
    expect(await generator.detokenize([...ids, argmax(await generator.logits(ids))])).toMatch(/time$/);
  }),
);

describe.each(threads)('%s', (_, worker) => {
  const sources = {
    path: () => fixturePath(path),
    bytes: () => file,
    stream: () => streamOf(file, 1000),
    blob: () => new Blob([file]),
    response: () => new Response(file),
  };
  test.each(Object.keys(sources))('from %s', (kind) =>
    withGenerator(sources[kind](), { worker }, async (generator) => {
      expect(argmax(await generator.logits(ids))).toBe(greedy[0]);
    }),
  );

  test('progress goes stage by stage and ends at the total', async () => {
    const events = [];
    const onProgress = (event) => events.push(event);
    await withGenerator(streamOf(file, 1000), { worker, onProgress }, async () => {});
    const stages = [...new Set(events.map(({ stage }) => stage))];
    expect(stages).toEqual(['compile', 'download', 'prepare']);
    const loaded = events.filter(({ stage }) => stage === 'download').map((event) => event.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect([loaded[0], loaded.at(-1)]).toEqual([0, file.length]);
  });

  test('integrity is checked', async () => {
    const digest = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
    await withGenerator(file, { worker, integrity: digest(file) }, async () => {});
    const error = await failureOf(TextGenerator.load(file, { worker, integrity: digest(file.subarray(1)) }));
    expect(error).toMatchObject({ code: 'IO', reason: 'integrity' });
  });

  test('an abort ends a load', async () => {
    const controller = new AbortController();
    const onProgress = ({ loaded }) => loaded > 5000 && controller.abort();
    const loading = TextGenerator.load(streamOf(file, 1000), { worker, signal: controller.signal, onProgress });
    expect((await failureOf(loading)).code).toBe('ABORTED');
  });

  test('models that cannot generate text are rejected', async () => {
    expect((await failureOf(TextGenerator.load(pathOf('f32.weights'), { worker }))).code).toMatch(/FORMAT|UNSUPPORTED/);
    expect((await failureOf(TextGenerator.load(file.subarray(0, 9000), { worker }))).code).toBe('FORMAT');
    expect((await failureOf(TextGenerator.load('/nowhere/a.amb', { worker }))).code).toBe('IO');
    expect((await failureOf(TextGenerator.load({}, { worker }))).code).toBe('INPUT');
  });
});

test('failed loads leave nothing behind', async () => {
  const before = capabilities().memory.liveObjects;
  for (let cut = 0; cut < file.length; cut += 4999) await failureOf(TextGenerator.load(file.subarray(0, cut)));
  expect(capabilities().memory.liveObjects).toBe(before);
});

test('both kinds of models work side by side', () =>
  withGenerator(fixturePath(path), {}, async (generator) => {
    const embedder = await Embedder.load(pathOf('f32.weights'));
    expect(embedder).toBeInstanceOf(Embedder);
    expect(await embedder.embed('the dog')).toHaveLength(embedder.dimension);
    expect(argmax(await generator.logits(ids))).toBe(greedy[0]);
    embedder.close();
  }));
