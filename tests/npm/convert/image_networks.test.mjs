// convert of image networks: one safetensors file that is the whole model, in the floats of the folder or in int8.

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { convert, ImageClassifier } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const cases = JSON.parse(readFileSync(fixturePath('vision/expected.json'), 'utf8'));
const converted = async (source, options) =>
  new Uint8Array(await new Response(convert(source, { to: 'safetensors', ...options })).arrayBuffer());

/** The prepared input of a case: bytes, plane by plane, as in README.md of the fixtures. */
function inputOf({ input: { file, shape, mean, std } }) {
  const bytes = readFileSync(fixturePath(`vision/${file}`));
  const plane = bytes.length / shape[0];
  return Float32Array.from(bytes, (byte, i) => (byte / 255 - mean[Math.floor(i / plane)]) / std[Math.floor(i / plane)]);
}

function cosine(a, b) {
  const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const headerOf = (bytes) => {
  const length = Number(Buffer.from(bytes.buffer, bytes.byteOffset).readBigUInt64LE(0));
  return JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
};

const models = ['mobilenetv4-timm', 'resnet50d-timm', 'convnextv2-hf', 'vit-hf', 'swin-timm', 'efficientnet-hf'];

test.each(models)('%s becomes one file with its logits, labels and preparation', async (model) => {
  const folder = fixturePath(`vision/${model}`);
  const one = cases.find(({ path, input }) => path === model && input);
  const [original, whole] = [await ImageClassifier.load(folder), await ImageClassifier.load(await converted(folder))];
  const input = inputOf(one);
  expect(await whole.logits(input, one.input.shape)).toEqual(await original.logits(input, one.input.shape));
  expect(whole.labels).toEqual(original.labels);
  expect(whole.inputSize).toBe(original.inputSize);
  for (const each of [original, whole]) each.close();
});

test.each(models)('%s in int8 answers as the floats do', async (model) => {
  const bytes = await converted(fixturePath(`vision/${model}`), { quantize: 'int8' });
  const classifier = await ImageClassifier.load(bytes);
  const one = cases.find(({ path, input, expected }) => path === model && input && Array.isArray(expected));
  const logits = await classifier.logits(inputOf(one), one.input.shape);
  expect(cosine([...logits], one.expected)).toBeGreaterThan(0.995);
  const { __metadata__: metadata, ...tensors } = headerOf(bytes);
  expect(Object.keys(metadata)).toContain('config.json');
  const quantized = Object.entries(tensors).filter(([, { dtype }]) => dtype === 'I8');
  expect(quantized.length).toBeGreaterThan(5);
  for (const [name, { shape }] of quantized)
    expect(tensors[`${name}_scale`]).toMatchObject({ dtype: 'F32', shape: [shape[0]] });
  classifier.close();
});

test('int8 in safetensors is for image networks', async () => {
  expect(await failureOf(converted(fixturePath('encoders/bert-cls.gguf'), { quantize: 'int8' }))).toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('int8 in safetensors is for image networks'),
  });
});
