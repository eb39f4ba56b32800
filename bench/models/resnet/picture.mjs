// Seeded pictures of rectangles and noise, the same on every machine. Without imports of Node: pages load it too.
import { uniform } from '../files/random.mjs';
import { INPUT_SIDE } from './resnet.mjs';

const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];

const RECTANGLES = 60;
const NOISE = 24;

/** Pixels red, green, blue, as quintet takes them. */
export function picture(seed, width = INPUT_SIDE, height = INPUT_SIDE) {
  const next = uniform(seed);
  const below = (limit) => Math.floor(next() * limit);
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < RECTANGLES; i++) {
    const [left, top] = [below(width), below(height)];
    const [right, bottom] = [left + 1 + below(width - left), top + 1 + below(height - top)];
    const color = [below(256), below(256), below(256)];
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) data.set(color, (y * width + x) * 3);
    }
  }
  for (let i = 0; i < data.length; i++) {
    data[i] = Math.min(255, Math.max(0, data[i] + below(NOISE) - NOISE / 2));
  }
  return { data, width, height, channels: 3 };
}

/** [3][height][width], normalised as ImageNet's pictures are. */
export function planesOf({ data, width, height }) {
  const size = width * height;
  const planes = new Float32Array(3 * size);
  for (let channel = 0; channel < 3; channel++) {
    for (let i = 0; i < size; i++) {
      planes[channel * size + i] = (data[3 * i + channel] / 255 - MEAN[channel]) / DEVIATION[channel];
    }
  }
  return planes;
}
