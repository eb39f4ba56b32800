// Similarities as CLIP and SigLIP were trained to give them, against plain formulas.
import { importSource } from '../helpers/source.mjs';

const { bestLabels, similarityOf } = await importSource('image_embed/similarity.ts');
const { promptsOf } = await importSource('image_embed/options.ts');

const usage = { dimension: 2, scale: 4, bias: -1, pairwise: false };
const image = Float32Array.of(3, 4);
const texts = [Float32Array.of(1, 0), Float32Array.of(0, 5), Float32Array.of(-6, -8)];
const cosines = [0.6, 0.8, -1];

test('softmax over the texts', () => {
  const weights = cosines.map((cosine) => Math.exp(4 * cosine));
  const sum = weights.reduce((a, b) => a + b);
  const found = similarityOf(image, texts, usage);
  weights.forEach((weight, i) => expect(found[i]).toBeCloseTo(weight / sum, 6));
});

test('a sigmoid for each text', () => {
  const found = similarityOf(image, texts, { ...usage, pairwise: true });
  cosines.forEach((cosine, i) => expect(found[i]).toBeCloseTo(1 / (1 + Math.exp(1 - 4 * cosine)), 6));
});

test('a large scale does not overflow, and no texts have no similarities', () => {
  expect([...similarityOf(image, texts, { ...usage, scale: 1e6 })]).toEqual([0, 1, 0]);
  expect([...similarityOf(image, texts, { ...usage, scale: 1e6, pairwise: true })]).toEqual([1, 1, 0]);
  expect(similarityOf(image, [], usage)).toHaveLength(0);
});

test.each([
  ['no vector', [3, 4], texts, /the vector of the image must be a Float32Array, not Array/],
  ['another dimension', Float32Array.of(1), texts, /the vector of the image needs 2 elements, not 1/],
  ['only zeros', image, [...texts, new Float32Array(2)], /the vector of text 3 must have finite elements/],
  ['not a number', image, [Float32Array.of(NaN, 1)], /the vector of text 0 must have finite elements/],
  ['an infinite number', image, [Float32Array.of(1, Infinity)], /the vector of text 0/],
  ['no list', image, texts[0], /texts must be an array of vectors, not Float32Array/],
])('%s is rejected', (_, image, texts, message) => {
  expect(() => similarityOf(image, texts, usage)).toThrow(message);
});

test('the best labels come first, ties in their order', () => {
  expect(bestLabels(['a', 'b', 'c', 'd'], Float32Array.of(0.25, 0.5, 0.25, 0), 3)).toEqual([
    { label: 'b', score: 0.5 },
    { label: 'a', score: 0.25 },
    { label: 'c', score: 0.25 },
  ]);
});

test('labels are put into templates unchanged', () => {
  expect(promptsOf(['cat', "$& $' {}"], {})).toEqual(['a photo of a cat.', "a photo of a $& $' {}."]);
  expect(promptsOf(['cat'], { template: '{} or {}?' })).toEqual(['cat or cat?']);
  expect(() => promptsOf(['cat'], { template: 'a photo' })).toThrow("the template must contain '{}'");
  expect(() => promptsOf(['cat'], { template: 7 })).toThrow("option 'template' must be a string");
});
