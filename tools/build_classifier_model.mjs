#!/usr/bin/env node
// Makes tests/fixtures/cifar10/resnet20-cifar10.bin from a PyTorch checkpoint's safetensors, statically quantized with
// the package's own converter. IMAGES: pictures of 32 x 32 pixels to calibrate with, one after another, rows of red,
// green, blue bytes.
//
//   node tools/build_classifier_model.mjs resnet20_cifar10.safetensors IMAGES.rgb        after `npm run build`
import { readFile, writeFile } from 'node:fs/promises';

import { convert } from 'quintet';

const OUT = new URL('../tests/fixtures/cifar10/resnet20-cifar10.bin', import.meta.url);
const SIDE = 32;
const CHANNELS = 3;
// Images are spread over the file, where they may stand in the order of their classes. More of them do not help.
const CALIBRATION_IMAGES = 200;

const [weightsFile, imagesFile] = process.argv.slice(2);
if (imagesFile === undefined) {
  console.error('usage: node tools/build_classifier_model.mjs WEIGHTS.safetensors IMAGES.rgb');
  process.exit(2);
}

function* spreadOver(samples) {
  const imageBytes = SIDE * SIDE * CHANNELS;
  const step = Math.max(Math.floor(samples.length / imageBytes / CALIBRATION_IMAGES), 1);
  for (let at = 0; at + imageBytes <= samples.length; at += step * imageBytes) {
    yield { data: samples.subarray(at, at + imageBytes), width: SIDE, height: SIDE, channels: CHANNELS };
  }
}

const calibration = spreadOver(new Uint8Array(await readFile(imagesFile)));
const file = new Response(
  convert(weightsFile, { to: 'tinyruntime', quantize: 'sq8', observer: 'histogram', calibration }),
);
await writeFile(OUT, new Uint8Array(await file.arrayBuffer()));
