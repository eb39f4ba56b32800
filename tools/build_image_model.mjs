#!/usr/bin/env node
// Makes models/mobilenet_v2_imagenet.safetensors, one file of 8-bit weights, from a Hugging Face folder of a
// MobileNetV2 whose floats came from a quantized TensorFlow Lite model: each tensor is a grid of at most 256 steps. The
// bytes stand for exactly the same values, or this program fails.
//
//   node tools/build_image_model.mjs mobilenet_v2_imagenet/        after `npm run build`
//   node tools/build_image_model.mjs mobilenet_v2_birds/ birds.safetensors 'where the weights come from'
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { fromFloat32, readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';

const OUT = new URL('../models/mobilenet_v2_imagenet.safetensors', import.meta.url);
const SOURCE = 'https://github.com/google-coral/edgetpu, test_data/mobilenet_v2_1.0_224_quant.tflite';
const MOST_BYTES = 4_000_000;
/** The unit of the convolutions' grids. Their batch norms hold the real scales. */
const CONVOLUTION_STEP = 1 / 256;
const STEPS = 256;

const [folder, out = OUT, source = SOURCE] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node tools/build_image_model.mjs FOLDER [OUT SOURCE]');
  process.exit(2);
}

const { tensors } = await readSafetensors(join(folder, 'model.safetensors'));
const packed = new Map();
for (const [name, tensor] of tensors) {
  // Counts of the training: nothing reads them.
  if (name.endsWith('.num_batches_tracked')) continue;
  if (tensor.dtype !== 'F16') {
    packed.set(name, tensor);
    continue;
  }
  const values = toFloat32(tensor);
  const step = name.startsWith('classifier.') ? stepOf(name, values) : CONVOLUTION_STEP;
  for (const [suffix, part] of Object.entries(quantized(name, tensor, values, step))) packed.set(name + suffix, part);
}

const file = await writeSafetensors(packed, {
  'config.json': compact(await json('config.json'), ['label2id']),
  'preprocessor_config.json': compact(await json('preprocessor_config.json')),
  license: 'Apache-2.0',
  source,
});
if (file.length >= MOST_BYTES) throw new Error(`the file would have ${file.length} bytes`);
await writeFile(out, file);
console.log(`${file.length} bytes`);

/** 8-bit integers with one scale and one zero point, which are repeated for each output as the format wants it. */
function quantized(name, { shape, data }, values, step) {
  const counts = values.map((value) => Math.round(value / step));
  const lowest = counts.reduce((least, count) => Math.min(least, count));
  const zero = -128 - lowest;
  const bytes = Int8Array.from(counts, (count) => count + zero);
  if (zero < -128 || zero > 127) throw new Error(`${name}: the zero point ${zero} is not one of 8 bits`);
  const restored = fromFloat32(
    'F16',
    Float32Array.from(bytes, (byte) => (byte - zero) * step),
  );
  data.forEach((bits, i) => {
    if (bits !== restored[i])
      throw new Error(`${name}: value ${i}, ${values[i]}, is not one of ${STEPS} steps of ${step}`);
  });
  const each = shape.slice(0, 1);
  return {
    '': { dtype: 'I8', shape, data: bytes },
    _scale: { dtype: 'F32', shape: each, data: new Float32Array(each[0]).fill(step) },
    _zero_point: { dtype: 'I8', shape: each, data: new Int8Array(each[0]).fill(zero) },
  };
}

/**
 * The step of values that were rounded to F16 after they were multiplied with it: the middle of all that are possible.
 * Neighbours among the small values, whose rounding is fine, show about how large it is; each larger value then narrows
 * it down.
 */
function stepOf(name, values) {
  const distinct = [...new Set(values.map(Math.abs))].filter((value) => value > 0).sort((a, b) => a - b);
  let [low, high] = halfStepsAround(distinct[0]);
  for (const value of distinct) {
    const count = Math.round(value / ((low + high) / 2));
    const [least, most] = halfStepsAround(value);
    low = Math.max(low, least / count);
    high = Math.min(high, most / count);
    if (low > high) throw new Error(`${name}: ${value} is not a multiple of what the smaller values are multiples of`);
  }
  return Math.fround((low + high) / 2);
}

/** The interval of numbers that are rounded to this F16 number. */
function halfStepsAround(value) {
  const MANTISSA_BITS = 11;
  const half = 2 ** (Math.floor(Math.log2(value)) - MANTISSA_BITS);
  return [value - half, value + half];
}

async function json(name) {
  return JSON.parse(await readFile(join(folder, name), 'utf8'));
}

function compact(object, without = []) {
  return JSON.stringify(Object.fromEntries(Object.entries(object).filter(([key]) => !without.includes(key))));
}
