// Networks quantized while loading: the integers of an independent computation, and the classes of the floats.
import { readFileSync } from 'node:fs';
import { ImageClassifier } from 'quintet';
import { classifier as bundled, pictures } from '../../../models/index.js';
import { small, withClassifier } from '../helpers/classifier_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { plainMobileNet } from '../helpers/plain_mobilenet.mjs';
import { filesOf, modelNamed, models, pathOf, tensorOf } from '../helpers/vision_fixtures.mjs';

const variants = Number(process.versions.node.split('.')[0]) >= 22 ? ['baseline', 'relaxed'] : ['baseline'];
const int8 = { quantize: 'int8', threads: 1 };
const mobile = modelNamed('mobilenet-v2-timm');
const usual = ({ runs: [run] }) => [tensorOf(run.input), run.input.shape];

test('the independent computation is right in floats', () => {
  for (const { input, expected } of mobile.runs) {
    const logits = plainMobileNet(filesOf(mobile)['model.safetensors'], tensorOf(input), input.shape, { int8: false });
    expect(distance(logits, expected)).toBeLessThan(1e-3);
  }
});

// A float32 may round to the next step where a double does not: the logits are as far apart as a few such steps.
test.each(variants)('%s: the integers are those of the independent computation', async (variant) => {
  await withClassifier(pathOf(mobile), { ...int8, variant }, async (classifier) => {
    for (const { input, expected } of mobile.runs) {
      const tensor = tensorOf(input);
      const logits = await classifier.logits(tensor, input.shape);
      const plain = plainMobileNet(filesOf(mobile)['model.safetensors'], tensor, input.shape, { int8: true });
      expect(distance(logits, plain)).toBeLessThan(distance(plain, expected) / 5);
    }
  });
});

// Their random weights make more of small differences than trained ones do.
test.each(models)('$name: the same bits in two threads', async (model) => {
  const [input, shape] = usual(model);
  const logitsWith = (options) =>
    withClassifier(pathOf(model), options, (classifier) => classifier.logits(input.slice(), shape));
  const logits = await logitsWith(int8);
  expect(logits.every(Number.isFinite)).toBe(true);
  expect(await logitsWith({ ...int8, threads: 2 })).toEqual(logits);
  expect(await logitsWith({})).not.toEqual(logits);
});

describe('the bundled classifier', () => {
  let floats, integers;
  beforeAll(async () => {
    [floats, integers] = [await ImageClassifier.load(bundled), await ImageClassifier.load(bundled, int8)];
  });
  afterAll(() => {
    floats.close();
    integers.close();
  });

  test('takes a third of the memory', () => {
    expect(integers.info.memory.weights).toBeLessThan(floats.info.memory.weights / 3);
  });

  test.each(Object.entries(pictures))('finds the class of: %s', async (_, picture) => {
    const bytes = readFileSync(picture);
    const expected = await floats.classify(bytes);
    const found = await integers.classify(bytes);
    expect(found[0].label).toBe(expected[0].label);
    expect(Math.abs(found[0].score - expected[0].score)).toBeLessThan(0.15);
    const inBoth = expected.filter(({ index }) => found.some((each) => each.index === index));
    expect(inBoth.length).toBeGreaterThanOrEqual(4);
  });
});

test.each([
  [{ quantize: 'sq8' }, 'INPUT', 'out_of_range', 'convert'],
  [{ quantize: true }, 'INPUT', 'out_of_range', 'convert'],
])('option %j', async (options, code, reason, word) => {
  const failure = await failureOf(ImageClassifier.load(pathOf(mobile), options));
  expect(failure).toMatchObject({ code, reason, message: expect.stringContaining(word) });
});

test('a tinyRuntime file is quantized by convert', async () => {
  expect(await failureOf(ImageClassifier.load(fixturePath(small.path), int8))).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('convert'),
  });
});
