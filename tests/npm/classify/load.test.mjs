// Loading image classifiers: options, labels, what the network sees of a picture.
import { capabilities, Embedder, ImageClassifier } from 'quintet';
import { small, smallCases, threads, withClassifier } from '../helpers/classifier_fixtures.mjs';
import { base, pathOf } from '../helpers/embedder_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { gradient, inputOf, noise } from '../helpers/pictures.mjs';
import { streamOf } from '../helpers/streams.mjs';

const path = fixturePath(small.path);
const file = fixtureFile(small.path);
const count = small.logits.length;

test.each([
  [{ colour: 'red' }, 'INPUT', 'unknown_option'],
  ['fast', 'INPUT', 'wrong_type'],
  [null, 'INPUT', 'wrong_type'],
  [{ format: 'onnx' }, 'INPUT', 'out_of_range'],
  [{ format: 'safetensors' }, 'FORMAT', 'limit'],
  [{ format: 'gguf' }, 'UNSUPPORTED', 'unsupported'],
  [{ kind: 'sq4' }, 'INPUT', 'out_of_range'],
  [{ labels: 'abc' }, 'INPUT', 'out_of_range'],
  [{ labels: [1] }, 'INPUT', 'out_of_range'],
  [{ labels: ['one'] }, 'INPUT', 'mismatch'],
  [{ inputSize: 0 }, 'INPUT', 'out_of_range'],
  [{ inputSize: 32.5 }, 'INPUT', 'out_of_range'],
  [{ inputSize: 5000 }, 'INPUT', 'out_of_range'],
  [{ inputSize: 64, shorterSide: 63 }, 'INPUT', 'out_of_range'],
  [{ mean: [0, 0] }, 'INPUT', 'out_of_range'],
  [{ mean: [0, NaN, 0] }, 'INPUT', 'out_of_range'],
  [{ std: [1, 0, 1] }, 'INPUT', 'out_of_range'],
  [{ quantize: 'int4' }, 'INPUT', 'out_of_range'],
  [{ attentionHeads: 4 }, 'UNSUPPORTED', 'unsupported'],
  [{ threads: 65 }, 'INPUT', 'out_of_range'],
  [{ memory64: true }, 'UNSUPPORTED', 'unsupported'],
  [{ cache: '' }, 'INPUT', 'out_of_range'],
])('option %j', async (options, code, reason) => {
  expect(await failureOf(() => ImageClassifier.load(path, options))).toMatchObject({ code, reason });
  expect(capabilities().memory.liveObjects).toBe(0);
});

test('a classifier is an ImageClassifier, and info describes its environment', () =>
  withClassifier(
    path,
    { format: 'tinyruntime', kind: 'vanilla', quantize: 'none', cache: 'a name' },
    async (classifier) => {
      expect(classifier).toBeInstanceOf(ImageClassifier);
      expect(classifier).toMatchObject({ inputSize: 224 });
      expect(classifier.labels).toEqual(Array.from({ length: count }, (_, i) => `class ${i}`));
      expect(classifier.info).toMatchObject({ format: 'tinyruntime', kind: 'vanilla', fileSize: file.length });
      expect(classifier.info.runtime).toMatchObject({ worker: false });
      expect(capabilities().runtime).toEqual(classifier.info.runtime);
    },
  ));

test.each(smallCases)('the kind of $path follows from its size, or is given', async ({ path, kind }) => {
  await withClassifier(fixturePath(path), {}, async ({ info }) => expect(info.kind).toBe(kind));
  for (const named of ['vanilla', 'dq8', 'sq8']) {
    if (named === kind)
      await withClassifier(fixturePath(path), { kind: named }, async ({ info }) => expect(info.kind).toBe(kind));
    else
      expect(await failureOf(ImageClassifier.load(fixturePath(path), { kind: named }))).toMatchObject({
        code: 'FORMAT',
      });
  }
});

test('labels name the classes, and may change afterwards', () => {
  const labels = Array.from({ length: count }, (_, i) => `${'*'.repeat(i)}`);
  return withClassifier(path, { labels, inputSize: 64 }, async (classifier) => {
    labels.fill('other');
    for (const { label, index } of await classifier.classify(gradient(), { topK: count }))
      expect(label).toHaveLength(index);
  });
});

test('mean and deviation of another training', () =>
  withClassifier(path, { inputSize: 64, mean: [0.5, 0.4, 0.3], std: [1, 2, 0.5] }, async (classifier) => {
    const picture = noise(64, 64);
    const input = inputOf(picture, { mean: [0.5, 0.4, 0.3], std: [1, 2, 0.5] });
    expect(distance(await classifier.logits(picture), await classifier.logits(input, [3, 64, 64]))).toBeLessThanOrEqual(
      1e-4,
    );
  }));

test('a margin around the square is scaled with it and cut off', () =>
  withClassifier(path, { inputSize: 64, shorterSide: 80 }, async (classifier) => {
    const [square, framed] = [noise(64, 64), noise(80, 80, 3, 2)];
    for (let y = 0; y < 64; ++y) framed.data.set(square.data.subarray(y * 192, (y + 1) * 192), ((y + 8) * 80 + 8) * 3);
    const expected = await classifier.logits(inputOf(square), [3, 64, 64]);
    expect(distance(await classifier.logits(framed), expected)).toBeLessThanOrEqual(1e-4);
  }));

test('by default 256 pixels become 224', () =>
  withClassifier(path, {}, async (classifier) => {
    const [square, framed] = [noise(224, 224), noise(256, 256, 3, 2)];
    for (let y = 0; y < 224; ++y)
      framed.data.set(square.data.subarray(y * 672, (y + 1) * 672), ((y + 16) * 256 + 16) * 3);
    const expected = await classifier.logits(inputOf(square), [3, 224, 224]);
    expect(distance(await classifier.logits(framed), expected)).toBeLessThanOrEqual(1e-4);
  }));

describe.each(threads)('%s', (_, worker) => {
  const sources = {
    path: () => path,
    bytes: () => file,
    stream: () => streamOf(file, 1000),
    blob: () => new Blob([file]),
    response: () => new Response(file),
  };
  test.each(Object.keys(sources))('from %s', (kind) =>
    withClassifier(sources[kind](), { worker }, async (classifier) => {
      const logits = await classifier.logits(small.input(), small.shape);
      expect(distance(logits, small.logits)).toBeLessThanOrEqual(small.tolerance.logits_abs);
    }),
  );

  test('progress goes stage by stage and ends at the total', async () => {
    const events = [];
    await withClassifier(file, { worker, onProgress: (event) => events.push(event) }, async () => {});
    expect([...new Set(events.map(({ stage }) => stage))]).toEqual(['compile', 'download', 'prepare']);
    for (const stage of ['compile', 'download', 'prepare']) {
      const last = events.findLast((event) => event.stage === stage);
      expect(last.loaded).toBe(last.total);
    }
  });

  test.each([
    ['cut', () => file.subarray(0, -1), 'FORMAT'],
    ['longer', () => Buffer.concat([file, Buffer.alloc(4)]), 'FORMAT'],
    ['another format', () => pathOf(base), 'UNSUPPORTED'],
    ['absent', () => fixturePath('none.bin'), 'IO'],
  ])('a file that is %s', async (__, source, code) => {
    const error = await failureOf(ImageClassifier.load(source(), { worker }));
    expect(error.code).toMatch(new RegExp(`^(${code}|INPUT)$`));
    expect(capabilities().memory.liveObjects).toBe(0);
  });

  test('labels of the wrong number leave nothing behind', async () => {
    const error = await failureOf(ImageClassifier.load(file, { worker, labels: ['a', 'b'] }));
    expect(error).toMatchObject({ code: 'INPUT', reason: 'mismatch' });
    expect(error.message).toMatch(`${count} classes`);
    expect(capabilities().memory.liveObjects).toBe(0);
  });
});

test('an embedder is not read from a ResNet, and runs next to one', async () => {
  expect((await failureOf(Embedder.load(path))).code).not.toBe('INTERNAL');
  const embedder = await Embedder.load(pathOf(base));
  await withClassifier(path, { inputSize: 64 }, async (classifier) => {
    const [vector, classes] = await Promise.all([embedder.embed('a'), classifier.classify(gradient())]);
    expect([vector.length, classes.length]).toEqual([32, 5]);
  });
  embedder.close();
});
