// The pictures and networks of tests/fixtures/cifar10.
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../fixtures/cifar10/', import.meta.url);
const lines = (name) => readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n');

const SIDE = 32;
const IMAGE_BYTES = SIDE * SIDE * 3;

const samples = new Uint8Array(readFileSync(new URL('cifar10_test1000.rgb', folder)));
const classes = lines('labels.txt').map((line) => Number(line.split(' ')[0]));

/** All pictures as raw pixels, with the index of what each shows. */
export const images = classes.map((label, i) => ({
  label,
  image: { data: samples.subarray(i * IMAGE_BYTES, (i + 1) * IMAGE_BYTES), width: SIDE, height: SIDE, channels: 3 },
}));

/** ResNet-20 in 8-bit integers. */
export const tenClasses = new URL('resnet20-cifar10.bin', folder);

export const labels = 'airplane automobile bird cat deer dog frog horse ship truck'.split(' ');

/** A drawing of each class: [name, file]. */
export const drawings = readdirSync(new URL('drawings/', folder))
  .sort()
  .map((name) => [name.replace('.png', ''), new URL(`drawings/${name}`, folder)]);

export const weightsOf = (network) => new URL(`${network}_cifar10.safetensors`, folder);

/** Ten logits for each picture. */
export const referenceLogits = (network) =>
  lines(`reference_logits_${network}.tsv`).map((line) => line.split('\t').slice(2).map(Number));

/** Which of these pictures a classifier names correctly. */
export async function namedRightly(classifier, pictures = images) {
  const answers = await classifier.classifyBatch(
    pictures.map(({ image }) => image),
    { topK: 1 },
  );
  return pictures.filter(({ label }, i) => answers[i][0].index === label);
}
