// Pictures of tests, and what a network must see of them, computed here.
import { fixtureFile } from './model_fixtures.mjs';

export const pictureFile = (name) => fixtureFile(`images/${name}`);

/** The picture of gradient.png, by its description: { data, width, height, channels }. */
export function gradient(channels = 3) {
  const [width, height] = [40, 27];
  const data = new Uint8Array(width * height * channels).fill(255);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const colours = [Math.floor((x * 255) / (width - 1)), Math.floor((y * 255) / (height - 1)), 128];
      data.set(colours.slice(0, channels), (y * width + x) * channels);
    }
  }
  return { data, width, height, channels };
}

/** Noise from a seed. */
export function noise(width, height, channels = 3, seed = 1) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24;
  return { data: Uint8Array.from({ length: width * height * channels }, next), width, height, channels };
}

export const plain = (colour, width, height) => ({
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3]),
  width,
  height,
  channels: 3,
});

const imageNet = { mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] };

/** A square picture that needs no scaling as an input: planes of normalised values. */
export function inputOf({ data, width, height, channels }, { mean, std } = imageNet) {
  const plane = width * height;
  return Float32Array.from({ length: 3 * plane }, (_, i) => {
    const channel = Math.floor(i / plane);
    const sample = data[(i % plane) * channels + (channels === 1 ? 0 : channel)];
    return (sample / 255 - mean[channel]) / std[channel];
  });
}
