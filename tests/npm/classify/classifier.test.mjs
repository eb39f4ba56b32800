// Image networks against what independent code computed of them; pictures as inputs.
import fc from 'fast-check';
import { capabilities, ImageClassifier } from 'quintet';
import { runCases, small, smallCases, softmax, threads, withClassifier } from '../helpers/classifier_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { gradient, inputOf, noise, pictureFile, plain } from '../helpers/pictures.mjs';

const model = fixturePath(small.path);
// Reordered sums of a few dozen layers, far below what a wrong pixel makes.
const tolerance = 1e-4;

test.each(runCases)('logits of $path at $shape', ({ path, shape, input, logits, probabilities, tolerance }) =>
  withClassifier(fixturePath(path), {}, async (classifier) => {
    const actual = await classifier.logits(input(), shape);
    expect(actual).toHaveLength(classifier.labels.length);
    expect(distance(actual, logits)).toBeLessThanOrEqual(
      Math.max(tolerance.logits_abs, 1e-7 * Math.max(...logits.map(Math.abs))),
    );
    expect(distance(softmax(actual), probabilities)).toBeLessThanOrEqual(tolerance.probabilities_abs);
  }),
);

test.each(smallCases)('a worker computes the same: $path', ({ path, shape, input }) =>
  withClassifier(fixturePath(path), { worker: true }, async (there) => {
    expect(there.info.runtime.worker).toBe(true);
    await withClassifier(fixturePath(path), {}, async (here) => {
      expect(await there.logits(input(), shape)).toEqual(await here.logits(input(), shape));
    });
  }),
);

test.each(smallCases)('every variant that runs here: $path', async ({ path, shape, input, logits, tolerance }) => {
  for (const variant of capabilities().relaxedSimd ? ['baseline', 'relaxed'] : ['baseline']) {
    await withClassifier(fixturePath(path), { variant }, async (classifier) => {
      expect(distance(await classifier.logits(input(), shape), logits)).toBeLessThanOrEqual(
        Math.max(tolerance.logits_abs, 1e-6),
      );
    });
  }
});

describe.each(threads)('%s', (_, worker) => {
  let classifier;
  beforeAll(async () => {
    classifier = await ImageClassifier.load(model, { worker, inputSize: 64 });
  });
  afterAll(() => classifier.close());
  const expectSame = async (image, picture) => {
    const expected = await classifier.logits(inputOf(picture), [3, 64, 64]);
    expect(distance(await classifier.logits(image), expected)).toBeLessThanOrEqual(tolerance);
  };

  test('a picture of the right size is normalised as ImageNet’s', () => expectSame(noise(64, 64), noise(64, 64)));

  test('alpha is not used, gray is repeated', async () => {
    const colours = noise(64, 64);
    const pixels = Array.from({ length: 64 * 64 }, (_, i) => [...colours.data.subarray(3 * i, 3 * i + 3), i % 256]);
    await expectSame({ data: Uint8ClampedArray.from(pixels.flat()), width: 64, height: 64 }, colours);
    await expectSame(noise(64, 64, 1), noise(64, 64, 1));
  });

  test('floats run from 0 to 1', async () => {
    const picture = noise(64, 64);
    await expectSame({ ...picture, data: Float32Array.from(picture.data, (sample) => sample / 255) }, picture);
    const [black, white] = [plain([0, 0, 0], 64, 64), plain([255, 255, 255], 64, 64)];
    await expectSame({ ...black, data: new Float32Array(64 * 64 * 3).fill(-0.01) }, black);
    await expectSame({ ...white, data: new Float32Array(64 * 64 * 3).fill(1.01) }, white);
  });

  test('a picture of one color keeps it at every size and shape', async () => {
    const colour = [200, 30, 77];
    for (const [width, height] of [
      [640, 480],
      [5, 300],
      [64, 63],
      [1, 1],
    ]) {
      await expectSame(plain(colour, width, height), plain(colour, 64, 64));
    }
  });

  test('the square is cut from the middle', () => {
    const [square, wide] = [noise(64, 64), { ...noise(100, 64, 3, 2), channels: 3 }];
    for (let y = 0; y < 64; ++y) {
      wide.data.set(square.data.subarray(y * 64 * 3, (y + 1) * 64 * 3), (y * 100 + 18) * 3);
    }
    return expectSame(wide, square);
  });

  test('files, in every container of bytes, give their pixels', async () => {
    const expected = await classifier.logits(gradient());
    const png = pictureFile('gradient.png');
    const embedded = Buffer.concat([Buffer.alloc(7), png]).subarray(7);
    const shared = new Uint8Array(new SharedArrayBuffer(png.length));
    shared.set(png);
    for (const image of [png, png.buffer, embedded, shared, new Blob([png]), new File([png], 'a.png')]) {
      expect(await classifier.logits(image)).toEqual(expected);
    }
    expect(png).toEqual(pictureFile('gradient.png'));
    const jpeg = await classifier.logits(pictureFile('gradient.jpg'));
    expect(distance(jpeg, expected)).toBeLessThan(0.2);
    expect(await classifier.logits(pictureFile('alpha.png'))).toEqual(expected);
    const { data, ...size } = gradient();
    const gray = { ...size, data: data.filter((_, i) => i % 3 === 0), channels: 1 };
    const grayExpected = await classifier.logits(gray);
    expect(distance(grayExpected, expected)).toBeGreaterThan(0.2);
    expect(await classifier.logits(pictureFile('gray.png'))).toEqual(grayExpected);
  });

  test('classes come best first, with their probabilities', async () => {
    const probabilities = softmax(await classifier.logits(gradient()));
    const all = await classifier.classify(gradient(), { topK: 1000 });
    expect(all.map(({ index }) => index).sort((a, b) => a - b)).toEqual(probabilities.map((_, i) => i));
    for (const { label, index, score } of all) {
      expect(label).toBe(`class ${index}`);
      expect(score).toBeCloseTo(probabilities[index], 12);
    }
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
    expect(await classifier.classify(gradient())).toEqual(all.slice(0, 5));
    expect(await classifier.classify(gradient(), { topK: 1 })).toEqual(all.slice(0, 1));
  });

  test('a batch gives the results of its pictures one by one, in order', async () => {
    const images = [
      gradient(),
      pictureFile('gradient.jpg'),
      noise(70, 90),
      new Blob([pictureFile('gray.png')]),
      noise(64, 64, 4),
    ];
    const progress = [];
    const onProgress = (...done) => progress.push(done);
    const batch = await classifier.classifyBatch(images, { topK: 3, onProgress });
    expect(progress).toEqual([
      [1, 5],
      [2, 5],
      [3, 5],
      [4, 5],
      [5, 5],
    ]);
    for (const [i, image] of images.entries()) expect(batch[i]).toEqual(await classifier.classify(image, { topK: 3 }));
    expect(await classifier.classifyBatch([])).toEqual([]);
  });

  test('any size of a prepared input', async () => {
    const seen = [];
    for (const [height, width] of [
      [64, 64],
      [33, 47],
      [96, 40],
    ]) {
      const input = new Float32Array(3 * height * width).fill(0.25);
      const logits = await classifier.logits(input, [3, height, width]);
      expect(logits).toHaveLength(small.logits.length);
      expect(logits.every(Number.isFinite)).toBe(true);
      expect(await classifier.logits(input, [3, height, width])).toEqual(logits);
      seen.push(logits);
    }
    // A side that was taken for another, or cut, would show.
    for (const [i, logits] of seen.entries()) {
      for (const other of seen.slice(0, i)) expect(distance(logits, other)).toBeGreaterThan(tolerance);
    }
  });
});

test('prepared inputs of other shapes are rejected', () =>
  withClassifier(model, {}, (classifier) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double(), fc.constant('3')), { maxLength: 4 }),
        async (shape) => {
          const { code } = await failureOf(classifier.logits(new Float32Array(7), shape));
          expect(code).toBe('INPUT');
        },
      ),
      { numRuns: 100 },
    ),
  ));
