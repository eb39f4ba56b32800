// A small network in 8-bit integers: its results for 1000 pictures and for a drawing of each class.
import { readFileSync } from 'node:fs';
import { ImageClassifier } from 'quintet';
import { drawings, images, labels, namedRightly, tenClasses } from './cifar_fixtures.mjs';

const variants = Number(process.versions.node.split('.')[0]) >= 22 ? ['baseline', 'relaxed'] : ['baseline'];

describe.each(variants)('%s', (variant) => {
  let classifier;
  beforeAll(async () => {
    classifier = await ImageClassifier.load(tenClasses, { variant, labels });
  });
  afterAll(() => classifier.close());

  test('matches its file', () => {
    expect(classifier.info).toMatchObject({ format: 'tinyruntime', kind: 'sq8' });
    expect(classifier.inputSize).toBe(32);
  });

  // Integers: the same on every machine.
  test('classifies the number of pictures in tests/fixtures/cifar10/README.md correctly', async () => {
    const right = await namedRightly(classifier);
    expect(right).toHaveLength(805);
    expect(right.filter((picture) => images.indexOf(picture) % 5 !== 0)).toHaveLength(651);
  });

  test.each(drawings)('the drawing of: %s', async (name, picture) => {
    const [best] = await classifier.classify(readFileSync(picture), { topK: 1 });
    expect(best.label).toBe(name);
    expect(best.score).toBeGreaterThan(0.6);
  });
});
