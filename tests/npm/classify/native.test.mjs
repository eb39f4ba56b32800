// Numbers that JavaScript may give the network module in the place of sizes: each is refused, and nothing is held of
// it.
import { readFileSync } from 'node:fs';
import { instanceOf } from '../helpers/native_instance.mjs';

const file = new Uint8Array(readFileSync(new URL('../../fixtures/tinyruntime/r18-plain-sq.bin', import.meta.url)));
const usualMean = [0.5, 0.5, 0.5];
const usualDeviation = [0.25, 0.25, 0.25];

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

/** `path`: '' for the only file. */
function load({ bytes = file, format = '', kind = '', total = bytes.length, path = '' } = {}) {
  const loader = new native.ClassifierLoader(format, kind, false);
  const feed = () => {
    loader.window(bytes.length).set(bytes);
    return loader.feed(bytes.length);
  };
  try {
    for (const step of [() => loader.beginFile(path, total), feed, () => loader.endFile()]) {
      const outcome = step();
      if (!outcome.ok) return outcome;
    }
    return loader.finish();
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

test('describes the loaded model', () => {
  expect(JSON.parse(classifier.usage())).toEqual({ classes: 9, labels: [], inputSize: 224 });
  expect(JSON.parse(classifier.info())).toMatchObject({
    format: 'tinyruntime',
    kind: 'sq8',
    architecture: 'ResNet-18',
  });
});

test('the kind may be given; another one is an error', () => {
  const named = load({ kind: 'sq8' });
  expect(named.ok).toBe(true);
  named.value.delete();
  expect(load({ kind: 'dq8' })).toMatchObject({ ok: false, code: 'FORMAT', format: 'tinyruntime' });
});

test('the files of a folder come one after another, with tensors last', () => {
  const loader = new native.ClassifierLoader('', '', false);
  const add = (path, bytes) => {
    const begun = loader.beginFile(path, bytes.length);
    if (!begun.ok) return begun;
    loader.window(bytes.length).set(bytes);
    const fed = loader.feed(bytes.length);
    return fed.ok ? loader.endFile() : fed;
  };
  const text = (json) => new TextEncoder().encode(JSON.stringify(json));
  expect(add('config.json', text({ model_type: 'resnet' }))).toMatchObject({ ok: true });
  expect(add('preprocessor_config.json', text({}))).toMatchObject({ ok: true });
  expect(loader.finish()).toMatchObject(refusal);
  loader.delete();
  const broken = new native.ClassifierLoader('', '', false);
  expect(broken.beginFile('config.json', 2)).toMatchObject({ ok: true });
  broken.window(2).set(new TextEncoder().encode('[]'));
  const outcomes = [broken.feed(2), broken.endFile()];
  expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ code: 'FORMAT', message: 'config.json: not an object' });
  broken.delete();
});

test('an invalid length counts as unknown', () => {
  for (const total of [-1, NaN, Infinity, 0.5]) {
    const loaded = load({ total });
    expect(loaded.ok).toBe(true);
    loaded.value.delete();
  }
  expect(load({ total: file.length + 1 })).toMatchObject({ ok: false, reason: 'trailing' });
});

test('the error for another format names its class', () => {
  const bytes = new Uint8Array(readFileSync(new URL('../../fixtures/embd/small.weights', import.meta.url)));
  expect(load({ bytes })).toMatchObject({
    ok: false,
    code: 'UNSUPPORTED',
    message: 'a .weights file is read by Embedder, not by ImageClassifier',
  });
});

describe('how pictures are prepared', () => {
  const prepareAs = ({ size = 32, shorterSide = 40, mean = usualMean, deviation = usualDeviation } = {}) =>
    classifier.prepareAs(size, shorterSide, mean, deviation);
  const prepared = () => {
    classifier.pixelWindow(8 * 6 * 3).fill(77);
    return classifier.prepare(8, 6, 3);
  };
  afterEach(() => expect(prepareAs()).toMatchObject({ ok: true }));

  test('may be given in part', () => {
    expect(prepareAs()).toMatchObject({ ok: true });
    expect(classifier.prepareAs(0, 0, [], [])).toMatchObject({ ok: true });
    expect(JSON.parse(classifier.usage())).toMatchObject({ inputSize: 32 });
    expect(classifier.prepareAs(0, 0, [0, 0, 0], [])).toMatchObject({ ok: true });
    expect(prepared().value.data[0]).toBeCloseTo(77 / 255 / 0.25, 5);
    expect(classifier.prepareAs(48, 0, [], [1, 1, 1])).toMatchObject({ ok: true });
    expect(prepared().value).toMatchObject({ height: 48, width: 48 });
    expect(prepared().value.data[0]).toBeCloseTo(77 / 255, 6);
  });

  test.each(['size', 'shorterSide'])('with an invalid %s is rejected', (name) => {
    for (const value of noSizes) expect([value, prepareAs({ [name]: value })]).toMatchObject([value, refusal]);
  });

  test('with a shorter side below the size is rejected', () => {
    expect(prepareAs({ size: 41 })).toMatchObject(refusal);
    expect(prepareAs({ shorterSide: 31 })).toMatchObject(refusal);
  });

  test('with a size beyond any network is rejected with the picture', () => {
    expect(prepareAs({ size: 5000, shorterSide: 5000 })).toMatchObject({ ok: true });
    expect(prepared()).toMatchObject(refusal);
  });

  test.each(['mean', 'deviation'])('with an invalid %s is rejected with the picture', (name) => {
    for (const value of [NaN, Infinity, -Infinity, 1e300]) {
      expect(prepareAs({ [name]: [0.5, value, 0.5] })).toMatchObject({ ok: true });
      expect([value, prepared()]).toMatchObject([value, refusal]);
      expect(prepareAs()).toMatchObject({ ok: true });
    }
  });

  test('with a deviation that is not above zero is rejected with the picture', () => {
    for (const value of [0, -0, -1, 1e-60]) {
      expect(prepareAs({ deviation: [1, 1, value] })).toMatchObject({ ok: true });
      expect([value, prepared()]).toMatchObject([value, refusal]);
    }
  });

  test('with a list of other than three numbers stays unchanged', () => {
    expect(prepareAs()).toMatchObject({ ok: true });
    const before = prepared().value.data;
    for (const values of [[], [0.5], [1, 1, 1, 1], { length: NaN }]) {
      expect(classifier.prepareAs(0, 0, values, values)).toMatchObject({ ok: true });
      expect(prepared().value.data).toEqual(before);
    }
  });
});

describe('pictures', () => {
  const width = 8;
  const height = 6;
  const begin = (changes = {}) => {
    classifier.pixelWindow(width * height * 3).fill(77);
    const size = { width, height, channels: 3, features: false, ...changes };
    return classifier.beginPicture(size.width, size.height, size.channels, size.features);
  };
  const prepare = (changes = {}) => {
    classifier.pixelWindow(width * height * 3).fill(77);
    const size = { width, height, channels: 3, ...changes };
    return classifier.prepare(size.width, size.height, size.channels);
  };
  beforeAll(() => expect(classifier.prepareAs(32, 40, usualMean, usualDeviation)).toMatchObject({ ok: true }));

  test('are classified', () => {
    expect(begin()).toMatchObject({ ok: true });
    const logits = finish();
    expect(logits).toHaveLength(9);
    for (const logit of logits) expect(Number.isFinite(logit)).toBe(true);
  });

  test('are prepared: scaled, cropped, normalized', () => {
    const { ok, value } = prepare();
    expect([ok, value.height, value.width, value.data.length]).toEqual([true, 32, 32, 3 * 32 * 32]);
    for (const sample of value.data) expect(sample).toBeCloseTo((77 / 255 - 0.5) / 0.25, 5);
  });

  test.each(['width', 'height', 'channels'])('with an invalid %s are rejected', (name) => {
    for (const value of [...noSizes, 0]) {
      expect([value, begin({ [name]: value })]).toMatchObject([value, refusal]);
      expect([value, prepare({ [name]: value })]).toMatchObject([value, refusal]);
    }
    expect(classifier.step()).toMatchObject(refusal);
  });

  test('have the features before the last layer', () => {
    const { shape } = JSON.parse(classifier.info()).tensors.find(({ name }) => name === 'fc.weight');
    expect(begin({ features: true })).toMatchObject({ ok: true });
    for (let step = classifier.step(); !step.value; step = classifier.step()) expect(step.ok).toBe(true);
    expect(classifier.take()).toHaveLength(shape[1]);
  });

  test('need a window of their size, once', () => {
    expect(begin({ width: width + 1 })).toMatchObject(refusal);
    expect(begin({ width: width - 1 })).toMatchObject(refusal);
    expect(begin()).toMatchObject({ ok: true });
    expect(classifier.beginPicture(width, height, 3, false)).toMatchObject(refusal);
    expect(prepare()).toMatchObject({ ok: true });
    expect(classifier.prepare(width, height, 3)).toMatchObject(refusal);
    expect(prepare({ width: NaN })).toMatchObject(refusal);
    expect(classifier.prepare(width, height, 3)).toMatchObject(refusal);
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

  test('of invalid sizes are rejected', () => {
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

  test('that are not finite are rejected', () => {
    classifier.inputWindow(60).fill(NaN);
    expect(classifier.beginInput(3, 4, 5)).toMatchObject(refusal);
  });
});

test('there is no window of an invalid size', () => {
  for (const value of [NaN, Infinity, -1, 0.5, 2 ** 32, 2 ** 53]) {
    expect(classifier.pixelWindow(value)).toBeNull();
    expect(classifier.inputWindow(value)).toBeNull();
  }
});
