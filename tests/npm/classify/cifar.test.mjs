// Trained networks, converted to every kind: their results for up to 1000 pictures, against an independent program's logits.
import { convert, ImageClassifier } from 'quintet';
import { images, namedRightly, referenceLogits, weightsOf } from './cifar_fixtures.mjs';

// Time grows with the depth; of the deeper network in integers, half the pictures are enough.
const networks = [
  { network: 'resnet20', right: 804, observers: ['minmax', 'histogram'], asked: 1 },
  { network: 'resnet56', right: 825, observers: ['histogram'], asked: 2 },
];

const every = (step, list = images) => list.filter((_, i) => i % step === 0);
const best = (logits) => logits.indexOf(Math.max(...logits));

async function load(network, options) {
  const file = new Response(convert(weightsOf(network), { to: 'tinyruntime', ...options }));
  return ImageClassifier.load(await file.arrayBuffer());
}

describe.each(networks)('$network', ({ network, right, observers, asked }) => {
  const expected = referenceLogits(network);
  const isRight = ({ label }, i) => best(expected[i]) === label;
  const pictures = every(asked);
  const rightOfThese = every(asked, images.map(isRight)).filter(Boolean).length;
  const POINT = pictures.length / 100;

  test('floats: the same logits', async () => {
    expect(images.filter(isRight)).toHaveLength(right);
    const classifier = await load(network, { quantize: 'none' });
    const references = every(5, expected);
    for (const [i, { image }] of every(5).entries()) {
      const logits = [...(await classifier.logits(image))];
      const differences = logits.map((logit, c) => Math.abs(logit - references[i][c]));
      expect(Math.max(...differences)).toBeLessThanOrEqual(1e-3);
      expect(best(logits)).toBe(best(references[i]));
    }
    classifier.close();
  });

  const wrongBy = async (classifier) => Math.abs((await namedRightly(classifier, pictures)).length - rightOfThese);

  test.each(['dq8', 'dq8-symmetric'])('%s: within three pictures', async (quantize) => {
    const classifier = await load(network, { quantize });
    expect(await wrongBy(classifier)).toBeLessThanOrEqual(3);
    classifier.close();
  });

  test.each(observers)('sq8, %s: within a point', async (observer) => {
    const calibration = every(10).map(({ image }) => image);
    const classifier = await load(network, { quantize: 'sq8', observer, calibration });
    expect(await wrongBy(classifier)).toBeLessThanOrEqual(POINT);
    classifier.close();
  });
});
