// Image networks of every family and source, against logits that independent code computed in double
// (tests/fixtures/vision/README.md), and folders that are none.
import { capabilities, ImageClassifier } from 'quintet';
import { withClassifier } from '../helpers/classifier_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { noise } from '../helpers/pictures.mjs';
import { plainSafetensors, withHeader } from '../helpers/plain_safetensors.mjs';
import { filesOf, lastLayer, modelNamed, models, pathOf, pictureOf, tensorOf } from '../helpers/vision_fixtures.mjs';

const vit = modelNamed('vit-hf');
const mobile = modelNamed('mobilenet-v2-timm');
const usual = (model) => model.runs[0];

const architectures = {
  'convnext-timm': 'ConvNeXt',
  'convnextv2-hf': 'ConvNeXt V2',
  'deit-hf-distilled': 'DeiT',
  'dinov2-hf-classifier': 'DINOv2',
  'efficientnet-b0-torchvision': 'EfficientNet',
  'efficientnet-hf': 'EfficientNet',
  'efficientnet-lite0-timm-tf': 'EfficientNet-Lite',
  'mobilenet-v1-hf': 'MobileNetV1',
  'mobilenet-v2-timm': 'MobileNetV2',
  'mobilenet-v3-small-timm-tf': 'MobileNetV3',
  'mobilenetv4-timm': 'MobileNetV4',
  'regnety-timm': 'RegNetY',
  'resnet-hf-bottleneck': 'ResNet',
  'resnet50d-timm': 'ResNet',
  'resnext50-timm': 'ResNeXt',
  'swin-timm': 'Swin',
  'vit-hf': 'ViT',
  'vit-timm-avg': 'ViT',
};

describe.each(models)('$name', (model) => {
  let classifier;
  beforeAll(async () => {
    classifier = await ImageClassifier.load(pathOf(model), { threads: 1 });
  });
  afterAll(() => {
    classifier.close();
    expect(capabilities().memory.liveObjects).toBe(0);
  });

  test('gives independently computed logits', async () => {
    expect(model.runs.length).toBeGreaterThan(0);
    for (const { input, expected, tolerance } of model.runs) {
      const logits = await classifier.logits(tensorOf(input), input.shape);
      expect(distance(logits, expected)).toBeLessThanOrEqual(tolerance);
    }
  });

  test('gives the same bits in two threads and in a worker', async () => {
    const { input } = usual(model);
    const alone = await classifier.logits(tensorOf(input), input.shape);
    for (const options of [{ threads: 2 }, { threads: 3, worker: true }]) {
      await withClassifier(pathOf(model), options, async (other) =>
        expect(await other.logits(tensorOf(input), input.shape)).toEqual(alone),
      );
    }
  });

  test('describes itself', () => {
    expect(classifier.info).toMatchObject({ format: 'safetensors' });
    expect(classifier.info.architecture).toBe(architectures[model.name]);
    expect(classifier.labels).toHaveLength(10);
    expect(classifier.inputSize).toBeGreaterThanOrEqual(32);
  });

  // The mean of two classifiers has no single vector before it.
  test('features are the input of the last layer', async () => {
    const picture = noise(70, 60);
    const [features, logits] = [await classifier.features(picture), await classifier.logits(picture)];
    if (model.name === 'deit-hf-distilled') {
      expect(features).toHaveLength(24);
      return;
    }
    const last = lastLayer(model);
    expect(features).toHaveLength(last.width);
    const scale = Math.max(1, ...logits.map(Math.abs));
    expect(distance(logits, last.apply(features))).toBeLessThanOrEqual(1e-5 * scale);
  });
});

const named = models.filter(({ top }) => top);
test.each(named)('$name names the best classes of a picture', async (model) => {
  const { expected, tolerance } = model.top;
  await withClassifier(pathOf(model), {}, async (classifier) => {
    const found = await classifier.classify(pictureOf(model.top), { topK: 10 });
    // The first leads clearly, or any of the best may be the first.
    if (expected.top[0].score - expected.top[1].score > 2 * tolerance)
      expect(found[0].index).toBe(expected.top[0].index);
    for (const { label, index, score } of expected.top) {
      const same = found.find((each) => each.index === index);
      expect(same.label).toBe(label);
      expect(Math.abs(same.score - score)).toBeLessThanOrEqual(tolerance);
    }
  });
});

test('labels are those of id2label or of label_names', async () => {
  const configOf = (model) => JSON.parse(new TextDecoder().decode(filesOf(model)['config.json']));
  await withClassifier(pathOf(vit), {}, async ({ labels }) =>
    expect(labels).toEqual(Object.values(configOf(vit).id2label)),
  );
  await withClassifier(pathOf(mobile), {}, async ({ labels }) => expect(labels).toEqual(configOf(mobile).label_names));
});

test.each(models.filter(({ prepared }) => prepared))(
  '$name prepares pictures according to its files',
  async (model) => {
    const { expected, tolerance, meanTolerance } = model.prepared;
    const right = tensorOf(expected);
    await withClassifier(pathOf(model), {}, async (classifier) => {
      const { data, shape } = await classifier.prepare(pictureOf(model.prepared));
      expect(shape).toEqual(expected.shape);
      expect(distance(data, right)).toBeLessThanOrEqual(tolerance);
      const mean = data.reduce((sum, x, i) => sum + Math.abs(x - right[i]), 0) / data.length;
      expect(mean).toBeLessThanOrEqual(meanTolerance);
      // The prepared input is the network's input.
      const picture = pictureOf(model.prepared);
      expect(await classifier.logits(picture)).toEqual(await classifier.logits(data, shape));
    });
  },
);

test('from files in memory', async () => {
  const { input, expected, tolerance } = usual(vit);
  await withClassifier(filesOf(vit), {}, async (classifier) => {
    const logits = await classifier.logits(tensorOf(input), input.shape);
    expect(distance(logits, expected)).toBeLessThanOrEqual(tolerance);
  });
});

test('options override the files', async () => {
  const labels = Array.from({ length: 10 }, (_, i) => `own ${i}`);
  const options = { labels, inputSize: 64, shorterSide: 64, mean: [0.5, 0.25, 0], std: [1, 2, 0.5] };
  await withClassifier(pathOf(mobile), options, async (classifier) => {
    expect(classifier.labels).toEqual(labels);
    expect(classifier.inputSize).toBe(64);
    const picture = noise(64, 64);
    const { data, shape } = await classifier.prepare(picture);
    expect(shape).toEqual([3, 64, 64]);
    const right = Float32Array.from(data, (_, i) => {
      const channel = Math.floor(i / 4096);
      return (picture.data[(i % 4096) * 3 + channel] / 255 - options.mean[channel]) / options.std[channel];
    });
    expect(distance(data, right)).toBeLessThanOrEqual(1e-6);
  });
});

test('a picture of one pixel is scaled like any other', () =>
  withClassifier(pathOf(vit), {}, async (classifier) => {
    const one = { data: new Uint8Array([9, 200, 77]), width: 1, height: 1, channels: 3 };
    const many = {
      data: new Uint8Array(48 * 48 * 3).map((_, i) => one.data[i % 3]),
      width: 48,
      height: 48,
      channels: 3,
    };
    expect(distance(await classifier.logits(one), await classifier.logits(many))).toBeLessThanOrEqual(1e-5);
  }));

describe('inputs that a network does not support', () => {
  test.each([
    ['vit-hf', [3, 40, 48], /30 patches.*36/],
    ['vit-hf', [3, 48, 56], /42 patches.*36/],
    ['vit-timm-avg', [3, 1, 1], /too small/],
    ['deit-hf-distilled', [3, 7, 48], /too small/],
    ['swin-timm', [3, 8, 8], /too small/],
    ['vit-hf', [1, 48, 48], /channels/],
    ['mobilenetv4-timm', [4, 32, 32], /channels/],
  ])('%s, %j', async (name, shape, message) => {
    const model = modelNamed(name);
    await withClassifier(pathOf(model), {}, async (classifier) => {
      const values = new Float32Array(shape.reduce((a, b) => a * b));
      const error = await failureOf(classifier.logits(values, shape));
      expect(error).toMatchObject({ code: 'INPUT', message: expect.stringMatching(message) });
      // The next one is taken.
      const { input, expected, tolerance } = usual(model);
      expect(distance(await classifier.logits(tensorOf(input), input.shape), expected)).toBeLessThanOrEqual(tolerance);
    });
  });
});

/** A file whose tensor `name` begins with a value that is none. */
function withNotANumber(file, name) {
  const { dtype, bytes } = plainSafetensors(file).tensors.get(name);
  const copy = new Uint8Array(file);
  const at = bytes.byteOffset - file.byteOffset;
  copy.set(dtype === 'F32' ? [0, 0, 0xc0, 0x7f] : dtype === 'F16' ? [0, 0x7e] : [0xc0, 0x7f], at);
  return copy;
}

const textOf = (json) => new TextEncoder().encode(JSON.stringify(json));
const changed = (model, change) => {
  const files = filesOf(model);
  return { ...files, ...change(files) };
};
const configured = (model, change) =>
  changed(model, (files) => ({
    'config.json': textOf({ ...JSON.parse(new TextDecoder().decode(files['config.json'])), ...change }),
  }));
const stored = (model, edit) =>
  changed(model, (files) => ({ 'model.safetensors': withHeader(files['model.safetensors'], edit) }));
const cut = (model, bytes) =>
  changed(model, (files) => ({ 'model.safetensors': files['model.safetensors'].subarray(0, bytes) }));

describe('folders that are not image networks', () => {
  test.each([
    ['one of texts', () => configured(vit, { model_type: 'bert' }), 'UNSUPPORTED', /model_type "bert".*vit, deit/],
    [
      'an unknown network of timm',
      () => configured(mobile, { architecture: 'mixer_b16_224' }),
      'UNSUPPORTED',
      /"mixer_b16_224" of timm; supported are/,
    ],
    ['a configuration alone', () => ({ 'config.json': filesOf(vit)['config.json'] }), 'INPUT', /no model file/],
    [
      'a configuration that is a list',
      () => changed(vit, () => ({ 'config.json': textOf([]) })),
      'FORMAT',
      /config.json/,
    ],
    [
      'a configuration that is cut off',
      () => changed(vit, () => ({ 'config.json': textOf({ a: 1 }).subarray(0, 4) })),
      'FORMAT',
      /config.json/,
    ],
    ['heads that do not divide', () => configured(vit, { num_attention_heads: 5 }), 'FORMAT', /5 attention heads/],
    ['a number that is none', () => configured(vit, { num_attention_heads: -1 }), 'FORMAT', /num_attention_heads/],
    ['an epsilon of zero', () => configured(vit, { layer_norm_eps: 0 }), 'FORMAT', /layer_norm_eps/],
    ['an activation that is none', () => configured(vit, { hidden_act: 'sine' }), 'UNSUPPORTED', /hidden_act/],
    [
      'a tensor too few',
      () =>
        stored(vit, (header) => {
          header.spare = header['vit.layernorm.weight'];
          delete header['vit.layernorm.weight'];
        }),
      'FORMAT',
      /vit\.layernorm\.weight/,
    ],
    [
      'a tensor too many',
      () =>
        stored(mobile, (header) => {
          header['blocks.9.9.conv.gamma'] = { dtype: 'F32', shape: [0], data_offsets: [0, 0] };
        }),
      'UNSUPPORTED',
      /blocks\.9\.9\.conv\.gamma/,
    ],
    [
      'weights of another network',
      () => changed(vit, () => ({ 'model.safetensors': filesOf(mobile)['model.safetensors'] })),
      'FORMAT',
      /vit\.embeddings/,
    ],
    [
      'weights that are no numbers',
      () =>
        changed(vit, (files) => ({
          'model.safetensors': withNotANumber(files['model.safetensors'], 'classifier.weight'),
        })),
      'FORMAT',
      /classifier\.weight/,
    ],
    [
      'statistics that are no numbers',
      () =>
        changed(mobile, (files) => ({
          'model.safetensors': withNotANumber(files['model.safetensors'], 'bn1.running_var'),
        })),
      'FORMAT',
      /bn1\.running_var/,
    ],
    ['weights that are cut off', () => cut(vit, -1), 'FORMAT', /./],
    ['weights cut off in the header', () => cut(vit, 100), 'FORMAT', /./],
    ['weights without a byte', () => cut(vit, 0), 'FORMAT', /./],
    ['tensors alone, of no network', () => stored(vit, () => {})['model.safetensors'], 'UNSUPPORTED', /tensor names/],
  ])('%s', async (_, make, code, message) => {
    for (const worker of [false, true]) {
      const error = await failureOf(ImageClassifier.load(make(), { worker }));
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(capabilities().memory.liveObjects).toBe(0);
    }
  });

  test.each([
    [{ labels: ['a', 'b'] }, /10 classes, option 'labels' has 2/],
    [{ inputSize: 64, shorterSide: 63 }, /'shorterSide' must be at least the input size of 64, not 63/],
  ])('or options that do not fit one: %j', async (options, message) => {
    const error = await failureOf(ImageClassifier.load(pathOf(mobile), options));
    expect(error).toMatchObject({ code: 'INPUT', message: expect.stringMatching(message) });
    expect(capabilities().memory.liveObjects).toBe(0);
  });
});
