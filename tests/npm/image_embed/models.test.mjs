// Models of pictures and words against what independent code computed of them (tests/fixtures/vision/README.md).
import { capabilities, ImageEmbedder } from 'quintet';
import { withClassifier } from '../helpers/classifier_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import {
  casesOf,
  clip,
  dinov2,
  embedders,
  filesOf,
  lengthOf,
  siglip,
  withEmbedder,
  withTexts,
} from '../helpers/image_embedder_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { noise } from '../helpers/pictures.mjs';
import { modelNamed, pathOf, pictureOf, tensorOf } from '../helpers/vision_fixtures.mjs';

const expectUnit = (vector) => expect(Math.abs(lengthOf(vector) - 1)).toBeLessThanOrEqual(1e-6);

describe.each(embedders)('$name', ({ name, path, towers, dimension, architecture }) => {
  let embedder;
  beforeAll(async () => {
    embedder = await ImageEmbedder.load(path, { threads: 1 });
  });
  afterAll(() => {
    embedder.close();
    expect(capabilities().memory.liveObjects).toBe(0);
  });

  test('describes itself', () => {
    expect(embedder.dimension).toBe(dimension);
    expect(embedder.towers).toEqual(towers);
    expect(embedder.info).toMatchObject({ format: 'safetensors', architecture });
  });

  test('gives pictures independently computed vectors', async () => {
    const cases = casesOf(name, 'imageEmbed');
    expect(cases.length).toBeGreaterThan(2);
    for (const { input, image, expected, tolerance } of cases) {
      const vector = input
        ? await embedder.embedPixels(tensorOf(input), input.shape)
        : await embedder.embedImage(pictureOf({ image }));
      expectUnit(vector);
      expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
    }
  });

  test('prepares pictures according to its files', async () => {
    for (const { image, expected, tolerance, meanTolerance } of casesOf(name, 'preprocess')) {
      const right = tensorOf(expected);
      const { data, shape } = await embedder.prepare(pictureOf({ image }));
      expect(shape).toEqual(expected.shape);
      expect(distance(data, right)).toBeLessThanOrEqual(tolerance);
      const mean = data.reduce((sum, x, i) => sum + Math.abs(x - right[i]), 0) / data.length;
      expect(mean).toBeLessThanOrEqual(meanTolerance);
      // The prepared input is the network's input.
      expect(await embedder.embedPixels(data, shape)).toEqual(await embedder.embedImage(pictureOf({ image })));
    }
  });

  test('in int8 has nearly the same vectors in less memory', async () => {
    const picture = noise(70, 60);
    const inFloat = await embedder.embedImage(picture);
    await withEmbedder(path, { quantize: 'int8' }, async (quantized) => {
      const vector = await quantized.embedImage(picture);
      expectUnit(vector);
      expect(vector).not.toEqual(inFloat);
      expect(vector.reduce((sum, x, i) => sum + x * inFloat[i], 0)).toBeGreaterThan(0.99);
      expect(quantized.info.memory.weights).toBeLessThan(0.8 * embedder.info.memory.weights);
      if (!towers.includes('text')) return;
      const [text, other] = [await quantized.embedText('a red truck'), await embedder.embedText('a red truck')];
      expect(text.reduce((sum, x, i) => sum + x * other[i], 0)).toBeGreaterThan(0.99);
    });
    const failure = await failureOf(ImageEmbedder.load(path, { quantize: 'int4' }));
    expect(failure).toMatchObject({ code: 'INPUT' });
  });

  test('gives the same bits in two threads, in a worker and in a stream', async () => {
    const picture = noise(70, 60);
    const alone = await embedder.embedImage(picture);
    for (const options of [{ threads: 2 }, { threads: 3, worker: true }]) {
      await withEmbedder(path, options, async (other) => {
        expect(await other.embedImage([picture, picture])).toEqual([alone, alone]);
        for await (const vector of other.embedImageStream([picture])) expect(vector).toEqual(alone);
      });
    }
  });
});

describe.each(withTexts)('$name', ({ name, path }) => {
  let embedder;
  beforeAll(async () => {
    embedder = await ImageEmbedder.load(path);
  });
  afterAll(() => embedder.close());

  test('gives texts and ids independently computed vectors', async () => {
    const cases = casesOf(name, 'textEmbed');
    expect(cases.length).toBeGreaterThan(5);
    for (const { ids, text, expected, tolerance } of cases) {
      const vector = ids ? await embedder.embedIds(ids) : await embedder.embedText(text);
      expectUnit(vector);
      expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
    }
  });

  test('a list of texts has the vectors of each', async () => {
    const texts = casesOf(name, 'textEmbed').flatMap(({ text }) => text ?? []);
    const alone = [];
    for (const text of texts) alone.push(await embedder.embedText(text));
    const progress = [];
    const vectors = await embedder.embedText(texts, { onProgress: (...numbers) => progress.push(numbers) });
    expect(vectors).toEqual(alone);
    expect(progress).toEqual(texts.map((_, i) => [i + 1, texts.length]));
    expect(await embedder.embedText([])).toEqual([]);
  });

  test('gives the ids of the tokenizer', async () => {
    const cases = casesOf(name, 'tokenize');
    expect(cases.length).toBeGreaterThan(5);
    for (const { text, expected, pad } of cases) {
      const ids = [...(await embedder.tokenize(text))];
      const padding = ids.splice(expected.length);
      expect([text, ids]).toEqual([text, expected]);
      expect(padding.every((id) => id === pad)).toBe(true);
    }
  });

  test('gives the probabilities it was trained for', async () => {
    for (const each of casesOf(name, 'similarity')) {
      const given = each.textVectors.map((vector) => Float32Array.from(vector));
      const similarity = embedder.similarity(Float32Array.from(each.imageVector), given);
      expect(distance(similarity, each.expected)).toBeLessThanOrEqual(each.tolerance);
      const image = await embedder.embedImage(pictureOf(each));
      const through = embedder.similarity(image, await embedder.embedText(each.texts));
      expect(distance(through, each.expected)).toBeLessThanOrEqual(each.throughTolerance);
    }
  });

  test('classifies a picture with labels of the caller', async () => {
    const [{ image, texts, expected, throughTolerance }] = casesOf(name, 'similarity');
    const found = await embedder.classify(pictureOf({ image }), texts, { template: '{}' });
    expect(found.map(({ label }) => label).sort()).toEqual([...texts].sort());
    for (const { label, score } of found) {
      expect(Math.abs(score - expected[texts.indexOf(label)])).toBeLessThanOrEqual(throughTolerance);
    }
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
    expect(await embedder.classify(pictureOf({ image }), texts, { template: '{}', topK: 2 })).toEqual(
      found.slice(0, 2),
    );
    // Another list of labels, and the first again.
    expect(await embedder.classify(pictureOf({ image }), ['cat', 'dog'])).toHaveLength(2);
    expect(await embedder.classify(pictureOf({ image }), texts, { template: '{}' })).toEqual(found);
  });

  test("one tower alone computes the same, and rejects the other's input", async () => {
    const picture = noise(50, 40);
    const [image, text] = [await embedder.embedImage(picture), await embedder.embedText('two birds')];
    await withEmbedder(path, { towers: 'image' }, async (alone) => {
      expect(alone.towers).toEqual(['image']);
      expect(alone.dimension).toBe(embedder.dimension);
      expect(await alone.embedImage(picture)).toEqual(image);
      for (const call of [
        alone.embedText('two birds'),
        alone.embedIds([1]),
        alone.tokenize('two birds'),
        alone.classify(picture, ['bird']),
      ])
        expect(await failureOf(call)).toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringMatching(/text tower/),
        });
      expect(await failureOf(() => alone.similarity(image, [text]))).toMatchObject({ code: 'UNSUPPORTED' });
      expect(alone.info.memory.weights).toBeLessThan(embedder.info.memory.weights);
    });
    await withEmbedder(path, { towers: 'text' }, async (alone) => {
      expect(alone.towers).toEqual(['text']);
      expect(alone.dimension).toBe(embedder.dimension);
      expect(await alone.embedText('two birds')).toEqual(text);
      expect([...alone.similarity(image, [text])]).toEqual([...embedder.similarity(image, [text])]);
      for (const call of [
        alone.embedImage(picture),
        alone.embedPixels(new Float32Array(3), [3, 1, 1]),
        alone.prepare(picture),
        alone.classify(picture, ['bird']),
      ])
        expect(await failureOf(call)).toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringMatching(/image tower/),
        });
    });
  });

  test('lone surrogates are replaced, and control characters are accepted', async () => {
    expect(await embedder.embedText('a \ud800 b')).toEqual(await embedder.embedText('a \ufffd b'));
    expectUnit(await embedder.embedText('a\0b\n\t'));
    expectUnit(await embedder.embedText(''));
  });
});

test('an error names the model without a text tower', async () => {
  await withEmbedder(dinov2, {}, async (embedder) => {
    const vector = await embedder.embedImage(noise(30, 30));
    for (const call of [
      embedder.embedText('a dog'),
      embedder.embedIds([1]),
      embedder.tokenize('a dog'),
      embedder.classify(noise(30, 30), ['dog']),
      () => embedder.similarity(vector, [vector]),
    ])
      expect(await failureOf(call)).toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(/DINOv2.*text tower|text tower.*DINOv2/),
      });
  });
  expect(await failureOf(ImageEmbedder.load(dinov2, { towers: 'text' }))).toMatchObject({ code: 'UNSUPPORTED' });
});

describe('loading', () => {
  const names = ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'model.safetensors'];

  test('from files in memory, and every variant that runs here', async () => {
    const [{ text, expected, tolerance }] = casesOf('clip-hf-sparse', 'textEmbed').filter((each) => each.text);
    for (const variant of capabilities().relaxedSimd ? ['baseline', 'relaxed'] : ['baseline']) {
      await withEmbedder(filesOf('clip-hf-sparse', names), { variant }, async (embedder) =>
        expect(distance(await embedder.embedText(text), expected)).toBeLessThanOrEqual(tolerance),
      );
    }
  });

  test('reports its progress', async () => {
    const stages = [];
    await withEmbedder(siglip, { onProgress: ({ stage }) => stages.push(stage) }, () => {});
    expect([...new Set(stages)]).toEqual(['compile', 'download', 'prepare']);
  });

  test.each([
    ['towers that are none', { towers: 'words' }, 'INPUT', /'towers' must be "both", "image", "text"/],
    ['another format', { format: 'gguf' }, 'UNSUPPORTED', /an image embedder cannot be read from 'gguf'/],
    ['an option of others', { labels: ['a'] }, 'UNSUPPORTED', /'labels' is for ImageClassifier/],
    ['an option of embedders of texts', { vectors: 'multi' }, 'UNSUPPORTED', /'vectors' is for Embedder/],
    ['an unknown option', { tower: 'image' }, 'INPUT', /no option 'tower'/],
  ])('%s', async (_, options, code, message) => {
    expect(await failureOf(ImageEmbedder.load(clip, options))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('a network of a classifier gives its features at length 1', async () => {
    const path = pathOf(modelNamed('vit-hf'));
    const picture = noise(30, 30);
    await withClassifier(path, {}, async (classifier) => {
      const features = await classifier.features(picture);
      await withEmbedder(path, {}, async (embedder) => {
        expect(embedder.towers).toEqual(['image']);
        const vector = await embedder.embedImage(picture);
        expectUnit(vector);
        expect(
          distance(
            vector,
            features.map((x) => x / lengthOf(features)),
          ),
        ).toBeLessThanOrEqual(1e-6);
      });
    });
  });

  test('a model of texts is rejected', async () => {
    expect(await failureOf(ImageEmbedder.load(fixturePath('rerankers/bert')))).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('"bert"'),
    });
    expect(capabilities().memory.liveObjects).toBe(0);
  });
});
