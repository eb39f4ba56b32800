// MobileNetV2 with the names of timm, written plainly: floats, or 8-bit integers as docs/images.md, "8-bit integers"
// has them.
import { plainSafetensors } from './plain_safetensors.mjs';

const EPSILON = 1e-5;
/** Strides of the first block of each stage. */
const STRIDES = [1, 2, 2, 2, 1, 2, 1];
const WEIGHT_STEPS = 127;

const relu6 = (x) => Math.min(Math.max(x, 0), 6);
const same = (x) => x;

function roundHalfEven(x) {
  const down = Math.floor(x);
  const rest = x - down;
  return rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
}

/** The row as whole numbers of steps, of which the largest magnitude has `steps`. */
function quantized(row, steps) {
  const largest = Math.max(...row.map(Math.abs));
  const scale = largest / steps;
  return { scale, q: row.map((x) => (largest === 0 ? 0 : roundHalfEven(x / scale))) };
}

/**
 * A layer { outputs, kernel, groups, rows, bias } with its batch norm folded; rows [out][in / groups * kernel *
 * kernel].
 */
function foldedLayer(tensors, conv, norm) {
  const { shape, values } = tensors.get(`${conv}.weight`);
  const [outputs, , kernel = 1] = shape;
  const length = values.length / outputs;
  const rows = Array.from({ length: outputs }, (_, n) => values.slice(n * length, (n + 1) * length));
  if (!norm) return { outputs, kernel, rows, bias: tensors.get(`${conv}.bias`).values };
  const of = (name) => tensors.get(`${norm}.${name}`).values;
  const factors = of('weight').map((gamma, n) => gamma / Math.sqrt(of('running_var')[n] + EPSILON));
  return {
    outputs,
    kernel,
    rows: rows.map((row, n) => row.map((w) => w * factors[n])),
    bias: of('bias').map((beta, n) => beta - of('running_mean')[n] * factors[n]),
  };
}

/** map: { height, width, pixels }, a list of channels for each pixel. `window(y, x)`: what an output's rows meet. */
function convolved(map, layer, stride, activation, valuesOf) {
  const [height, width] = [map.height, map.width].map((length) => Math.ceil(length / stride));
  const pixels = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.push(valuesOf(y * stride, x * stride).map(activation));
  }
  return { height, width, pixels, isPositive: activation === relu6 };
}

/** A convolution with a window of several pixels: depthwise, or of all channels. */
function windows(map, layer, stride, isDepthwise) {
  const reach = (layer.kernel - 1) / 2;
  const at = (y, x, c) => (y < 0 || x < 0 || y >= map.height || x >= map.width ? 0 : map.pixels[y * map.width + x][c]);
  const taps = layer.kernel ** 2;
  return convolved(map, layer, stride, relu6, (y, x) =>
    layer.rows.map((row, n) =>
      row.reduce((sum, w, i) => {
        const [channel, tap] = [isDepthwise ? n : Math.floor(i / taps), i % taps];
        return sum + w * at(y + Math.floor(tap / layer.kernel) - reach, x + (tap % layer.kernel) - reach, channel);
      }, layer.bias[n]),
    ),
  );
}

function pointwise(map, layer, activation, int8) {
  const rows = layer.rows.map((row) => (int8 ? quantized(row, WEIGHT_STEPS) : { scale: 1, q: row }));
  return convolved(map, layer, 1, activation, (y, x) => {
    const pixel = map.pixels[y * map.width + x];
    // No bit of the seven is spent on signs that do not occur.
    const { scale, q } = int8 ? quantized(pixel, map.isPositive ? 126 : 63) : { scale: 1, q: pixel };
    return rows.map((row, n) => layer.bias[n] + scale * row.scale * row.q.reduce((sum, w, i) => sum + w * q[i], 0));
  });
}

function sumOf(map, other) {
  const pixels = map.pixels.map((pixel, i) => pixel.map((x, c) => x + other.pixels[i][c]));
  return { ...map, pixels };
}

/** The logits of `input` [3][height][width], of the bytes of a safetensors file. */
export function plainMobileNet(file, input, [channels, height, width], { int8 }) {
  const { tensors } = plainSafetensors(file);
  const plane = height * width;
  const layer = (conv, norm) => foldedLayer(tensors, conv, norm);
  let x = {
    height,
    width,
    pixels: Array.from({ length: plane }, (_, p) => Array.from({ length: channels }, (_, c) => input[c * plane + p])),
    isPositive: false,
  };
  x = windows(x, layer('conv_stem', 'bn1'), 2, false);
  STRIDES.forEach((first, stage) => {
    for (let i = 0; tensors.has(`blocks.${stage}.${i}.conv_dw.weight`); i++) {
      const name = `blocks.${stage}.${i}.`;
      const stride = i === 0 ? first : 1;
      const expands = tensors.has(`${name}conv_pwl.weight`);
      const norm = (number) => `${name}bn${expands ? number : number - 1}`;
      let y = expands ? pointwise(x, layer(`${name}conv_pw`, norm(1)), relu6, int8) : x;
      y = windows(y, layer(`${name}conv_dw`, norm(2)), stride, true);
      y = pointwise(y, layer(`${name}${expands ? 'conv_pwl' : 'conv_pw'}`, norm(3)), same, int8);
      x = stride === 1 && y.pixels[0].length === x.pixels[0].length ? sumOf(y, x) : y;
    }
  });
  x = pointwise(x, layer('conv_head', 'bn2'), relu6, int8);
  const count = x.pixels.length;
  const mean = x.pixels[0].map((_, c) => x.pixels.reduce((sum, pixel) => sum + pixel[c], 0) / count);
  const vector = { height: 1, width: 1, pixels: [mean], isPositive: true };
  return pointwise(vector, layer('classifier'), same, int8).pixels[0];
}
