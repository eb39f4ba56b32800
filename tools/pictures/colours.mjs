// Colours are [red, green, blue] of 0..255; paints give the colour of a point of the picture.
import { noise } from './noise.mjs';

export const mix = (a, b, t) => a.map((value, i) => value + (b[i] - value) * Math.min(Math.max(t, 0), 1));

/** From the first colour at `top` to the last at `bottom`. */
export function vertical(top, bottom, ...colours) {
  return (_, y) => {
    const at = Math.min(Math.max((y - top) / (bottom - top), 0), 0.9999) * (colours.length - 1);
    return mix(colours[Math.floor(at)], colours[Math.floor(at) + 1], at % 1);
  };
}

/** Patches of two colours, `size` wide; `stretch` times as wide as high. */
export function mottled(a, b, size, { stretch = 1, seed = 0, contrast = 1 } = {}) {
  return (x, y) => mix(a, b, 0.5 + (noise(x / (size * stretch), y / size, seed) - 0.5) * 2 * contrast);
}

/** A paint with slightly varying brightness, like every real surface. */
export function rough(paint, amount, size, { stretch = 1, seed = 0 } = {}) {
  const colourAt = typeof paint === 'function' ? paint : () => paint;
  return (x, y) => {
    const factor = 1 + (noise(x / (size * stretch), y / size, seed) - 0.5) * 2 * amount;
    return colourAt(x, y).map((value) => value * factor);
  };
}
