// The bundled classifier: the figures of its card, and the drawings beside it.
import { readFileSync } from 'node:fs';
import { ImageClassifier } from 'quintet';
import { classifierLabels, classifier as file, pictures } from '../../../models/index.js';
import { countRight, images } from './cifar_fixtures.mjs';

const variants = Number(process.versions.node.split('.')[0]) >= 22 ? ['baseline', 'relaxed'] : ['baseline'];

test('every class has a label and a drawing', () => {
  expect(Object.keys(pictures)).toEqual(classifierLabels);
});

describe.each(variants)('%s', (variant) => {
  let classifier;
  beforeAll(async () => {
    classifier = await ImageClassifier.load(file, { variant, labels: classifierLabels });
  });
  afterAll(() => classifier.close());

  test('is what its card says', () => {
    expect(classifier.info).toMatchObject({ format: 'tinyruntime', kind: 'sq8' });
    expect(classifier.inputSize).toBe(32);
  });

  // Integers: the same on every machine.
  test('names as many pictures rightly as its card says', async () => {
    expect(await countRight(classifier)).toBe(805);
    expect(
      await countRight(
        classifier,
        images.filter((_, i) => i % 5 !== 0),
      ),
    ).toBe(651);
  });

  test.each(Object.entries(pictures))('the drawing of: %s', async (name, picture) => {
    const [best] = await classifier.classify(readFileSync(picture), { topK: 1 });
    expect(best.label).toBe(name);
    expect(best.score).toBeGreaterThan(0.6);
  });
});
