// Trained networks, converted to every kind: their results for 1000 pictures, against an independent program's logits.
import { convert, ImageClassifier } from 'quintet';
import { countRight, images, referenceLogits, weightsOf } from './cifar_fixtures.mjs';

const networks = [
  { network: 'resnet20', right: 804, observers: ['minmax', 'histogram'] },
  { network: 'resnet56', right: 825, observers: ['histogram'] },
];
const POINT = images.length / 100;

const every = (step) => images.filter((_, i) => i % step === 0).map(({ image }) => image);

async function load(network, options) {
  const file = new Response(convert(weightsOf(network), { to: 'tinyruntime', ...options }));
  return ImageClassifier.load(await file.arrayBuffer());
}

describe.each(networks)('$network', ({ network, right, observers }) => {
  test('floats: the same logits', async () => {
    const classifier = await load(network, { quantize: 'none' });
    const expected = referenceLogits(network);
    let found = 0;
    let worst = 0;
    for (const [i, { image, label }] of images.entries()) {
      const logits = [...(await classifier.logits(image))];
      worst = Math.max(worst, ...logits.map((logit, c) => Math.abs(logit - expected[i][c])));
      if (logits.indexOf(Math.max(...logits)) === label) found += 1;
    }
    expect(worst).toBeLessThanOrEqual(1e-3);
    expect(found).toBe(right);
    classifier.close();
  });

  test.each(['dq8', 'dq8-symmetric'])('%s: within 0.3 points', async (quantize) => {
    const classifier = await load(network, { quantize });
    expect(Math.abs((await countRight(classifier)) - right)).toBeLessThanOrEqual(0.3 * POINT);
    classifier.close();
  });

  test.each(observers)('sq8, %s: within a point', async (observer) => {
    const classifier = await load(network, { quantize: 'sq8', observer, calibration: every(10) });
    expect(Math.abs((await countRight(classifier)) - right)).toBeLessThanOrEqual(POINT);
    classifier.close();
  });
});
