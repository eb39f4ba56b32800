// Distinguishes models: the vector that a model makes of a fixed picture depends on all its weights. The same model
// from another place, or in another format, makes nearly the same vector, and its vectors can be searched together.

import type { RawImage } from 'quintet';

const [width, height, channels] = [96, 64, 3] as const;

/** Two models whose vectors of the picture are this close are taken for one. */
const minCosine = 0.98;

/** Slopes, stripes and a disc, in several colors. */
export function probePicture(): RawImage {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const isInDisc = Math.hypot(x - 60, y - 30) < 20;
      const isInStripe = (x + 2 * y) % 24 < 8;
      data.set(
        [isInDisc ? 230 : (255 * x) / width, isInStripe ? 40 : (255 * y) / height, isInDisc ? 30 : 150],
        (y * width + x) * channels,
      );
    }
  }
  return { data, width, height, channels };
}

/** Whether the probes are of the same model. Both have length 1. */
export function isSameModel(one: Float32Array, other: Float32Array): boolean {
  return one.length === other.length && one.reduce((sum, value, i) => sum + value * other[i]!, 0) >= minCosine;
}
