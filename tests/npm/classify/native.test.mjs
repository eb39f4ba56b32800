// Numbers that JavaScript may give the network module in the place of sizes: each is refused, and nothing is held of it.
import { readFileSync } from 'node:fs';
import { instanceOf } from '../helpers/native_instance.mjs';

const file = new Uint8Array(readFileSync(new URL('../../fixtures/tinyruntime/r18-plain-sq.bin', import.meta.url)));
const mean = [0.5, 0.5, 0.5];
const deviation = [0.25, 0.25, 0.25];

let native;
let classifier;
beforeAll(async () => {
  native = await instanceOf('classifier');
  classifier = load().value;
});
afterAll(() => {
  classifier.delete();
  expect(native.liveObjects()).toBe(0);
});

function load({ bytes = file, format = '', kind = '', total = bytes.length } = {}) {
  const loader = new native.ClassifierLoader(format, kind, total);
  try {
    loader.window(bytes.length).set(bytes);
    const fed = loader.feed(bytes.length);
    return fed.ok ? loader.finish() : fed;
  } finally {
    loader.delete();
  }
}

function finish() {
  for (let step = classifier.step(); !step.value; step = classifier.step()) expect(step.ok).toBe(true);
  return classifier.take();
}

const refusal = { ok: false, code: 'INPUT', message: expect.stringMatching(/./) };
const noSizes = [NaN, Infinity, -Infinity, -1, 0.5, 2 ** 32, 2 ** 32 + 8, 2 ** 53, 1e300];

test('tells what was loaded', () => {
  expect(classifier.classes()).toBe(9);
  expect([classifier.inputChannels(), classifier.usualInputSize()]).toEqual([3, 224]);
  expect(JSON.parse(classifier.info())).toMatchObject({
    format: 'tinyruntime',
    kind: 'sq8',
    architecture: 'ResNet-18',
  });
});

test('the kind may be named, and is an error where it is another', () => {
  const named = load({ kind: 'sq8' });
  expect(named.ok).toBe(true);
  named.value.delete();
  expect(load({ kind: 'dq8' })).toMatchObject({ ok: false, code: 'FORMAT', format: 'tinyruntime' });
});

test('a length that is none is not known', () => {
  for (const total of [-1, NaN, Infinity, 0.5]) {
    const loaded = load({ total });
    expect(loaded.ok).toBe(true);
    loaded.value.delete();
  }
  expect(load({ total: file.length + 1 })).toMatchObject({ ok: false, reason: 'trailing' });
});

test('a file of another format is refused with the class that takes it', () => {
  const bytes = new Uint8Array(readFileSync(new URL('../../fixtures/embd/small.weights', import.meta.url)));
  expect(load({ bytes })).toMatchObject({
    ok: false,
    code: 'UNSUPPORTED',
    message: 'a .weights file is read by Embedder, not by ImageClassifier',
  });
});

describe('pictures', () => {
  const width = 8;
  const height = 6;
  const begin = (changes = {}) => {
    classifier.pixelWindow(width * height * 3).fill(77);
    const size = { width, height, channels: 3, size: 32, shorterSide: 40, mean, deviation, ...changes };
    return classifier.beginPicture(
      size.width,
      size.height,
      size.channels,
      size.size,
      size.shorterSide,
      size.mean,
      size.deviation,
    );
  };

  test('are classified', () => {
    expect(begin()).toMatchObject({ ok: true });
    const logits = finish();
    expect(logits).toHaveLength(9);
    for (const logit of logits) expect(Number.isFinite(logit)).toBe(true);
  });

  test.each(['width', 'height', 'channels', 'size', 'shorterSide'])('with a %s that is none are refused', (name) => {
    for (const value of [...noSizes, 0]) expect([value, begin({ [name]: value })]).toMatchObject([value, refusal]);
    expect(classifier.step()).toMatchObject(refusal);
  });

  test.each(['mean', 'deviation'])('with a %s that is none are refused', (name) => {
    for (const value of [NaN, Infinity, -Infinity, 1e300])
      expect(begin({ [name]: [0.5, value, 0.5] })).toMatchObject(refusal);
    for (const values of [[], [0.5], [1, 1, 1, 1], { length: NaN }])
      expect(begin({ [name]: values })).toMatchObject(refusal);
  });

  test('with a deviation that is not above zero are refused', () => {
    for (const value of [0, -0, -1, 1e-60]) expect(begin({ deviation: [1, 1, value] })).toMatchObject(refusal);
  });

  test('need a window of their size, once', () => {
    expect(begin({ width: width + 1 })).toMatchObject(refusal);
    expect(begin({ width: width - 1 })).toMatchObject(refusal);
    expect(begin()).toMatchObject({ ok: true });
    expect(classifier.beginPicture(width, height, 3, 32, 40, mean, deviation)).toMatchObject(refusal);
  });
});

describe('prepared inputs', () => {
  const begin = (channels, height, width) => {
    classifier.inputWindow(3 * 4 * 5).fill(0.5);
    return classifier.beginInput(channels, height, width);
  };

  test('are classified, and give the same again', () => {
    expect(begin(3, 4, 5)).toMatchObject({ ok: true });
    const logits = finish();
    expect(begin(3, 4, 5)).toMatchObject({ ok: true });
    expect(finish()).toEqual(logits);
    expect(classifier.take()).toHaveLength(0);
  });

  test('of sizes that are none are refused', () => {
    for (const value of [...noSizes, 0]) {
      for (const sizes of [
        [value, 4, 5],
        [3, value, 5],
        [3, 4, value],
      ])
        expect([sizes, begin(...sizes)]).toMatchObject([sizes, refusal]);
    }
    expect(begin(1, 12, 5)).toMatchObject(refusal);
    expect(begin(3, 5, 5)).toMatchObject(refusal);
    expect(begin(3, 2 ** 32 + 4, 2 ** 32)).toMatchObject(refusal);
    expect(classifier.step()).toMatchObject(refusal);
  });

  test('that are not finite are refused', () => {
    classifier.inputWindow(60).fill(NaN);
    expect(classifier.beginInput(3, 4, 5)).toMatchObject(refusal);
  });
});

test('there is no window of a size that is none', () => {
  for (const value of [NaN, Infinity, -1, 0.5, 2 ** 32, 2 ** 53]) {
    expect(classifier.pixelWindow(value)).toBeNull();
    expect(classifier.inputWindow(value)).toBeNull();
  }
});
