// The bundled classifier: independently computed logits (tests/fixtures/mobilenet_v2), and the photographs next to it.
import { readFileSync } from 'node:fs';
import { ImageClassifier, SearchIndex } from 'quintet';
import { classifier as file, pictures } from '../../../models/index.js';
import { softmax } from '../helpers/classifier_fixtures.mjs';
import { distance } from '../helpers/expectations.mjs';

const variants = Number(process.versions.node.split('.')[0]) >= 22 ? ['baseline', 'relaxed'] : ['baseline'];
const folder = new URL('../../fixtures/mobilenet_v2/', import.meta.url);
const known = ['bird', 'cat', 'hotdog', 'owl', 'sunflower'];
const bytesOf = (name) => new Uint8Array(readFileSync(new URL(name, folder)));
const SHAPE = [3, 224, 224];
/** The file's last layer is not rounded to F16, that of the logits is. */
const TOLERANCE = 0.002;

const expected = {
  bird: 'chickadee',
  cat: 'Egyptian cat',
  dragonfly: /^dragonfly, /,
  hotdog: 'hotdog, hot dog, red hot',
  owl: /^ruffed grouse, /,
  parrot: 'macaw',
  sunflower: 'daisy',
};

test('a file below 4 MB, with its labels and its licence', async () => {
  expect(readFileSync(file).length).toBeLessThan(4_000_000);
  const classifier = await ImageClassifier.load(file);
  expect(classifier.info).toMatchObject({ format: 'safetensors', architecture: 'MobileNetV2' });
  expect(classifier.info.metadata.license).toBe('Apache-2.0');
  expect(classifier.inputSize).toBe(224);
  expect(classifier.labels).toHaveLength(1001);
  expect(classifier.labels[0]).toBe('background');
  expect(classifier.labels[1000]).toBe('toilet tissue, toilet paper, bathroom tissue');
  classifier.close();
});

test('every photograph has an expected class', () => {
  expect(Object.keys(pictures)).toEqual(Object.keys(expected));
});

describe.each(variants)('%s', (variant) => {
  let classifier;
  beforeAll(async () => {
    classifier = await ImageClassifier.load(file, { variant });
  });
  afterAll(() => classifier.close());

  test.each(known)('the logits of: %s', async (name) => {
    const input = Float32Array.from(bytesOf(`${name}.u8`), (byte) => (byte - 128) / 128);
    const logits = new Float32Array(bytesOf(`${name}.logits.f32`).buffer);
    expect(distance(await classifier.logits(input, SHAPE), logits)).toBeLessThan(TOLERANCE);
  });

  // Smaller than what the logits were computed of, and another JPEG file: scores differ in the second digit.
  test.each(Object.entries(pictures))('the photograph of: %s', async (name, picture) => {
    const [best] = await classifier.classify(readFileSync(picture), { topK: 1 });
    expect(best.label).toMatch(expected[name]);
    if (!known.includes(name)) return void expect(best.score).toBeGreaterThan(0.9);
    const scores = softmax(Array.from(new Float32Array(bytesOf(`${name}.logits.f32`).buffer)));
    expect(Math.abs(best.score - scores[best.index])).toBeLessThan(0.1);
  });

  test('a photograph is most similar to itself, slightly enlarged', async () => {
    const index = new SearchIndex({ dimension: 1280 });
    for (const [id, picture] of Object.entries(pictures)) {
      index.add({ id, vector: await classifier.features(readFileSync(picture)) });
    }
    const closer = await ImageClassifier.load(file, { variant, shorterSide: 288 });
    for (const [name, picture] of Object.entries(pictures)) {
      const [{ id }] = index.nearest(await closer.features(readFileSync(picture)), { k: 1 });
      expect(id).toBe(name);
    }
    closer.close();
  });
});
