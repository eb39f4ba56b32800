// The shapes of ResNets, layer by layer, under torchvision's names, and pictures for them. Without imports of Node:
// pages load it too.
import { uniform } from '../files/random.mjs';

const SHAPES = {
  'ResNet-18': { blocks: [2, 2, 2, 2], bottleneck: false },
  'ResNet-50': { blocks: [3, 4, 6, 3], bottleneck: true },
};
export const NETWORKS = Object.keys(SHAPES);

export const INPUT_CHANNELS = 3;
export const INPUT_SIDE = 224;
export const CLASSES = 1000;
const STEM_WIDTH = 64;
const BOTTLENECK_WIDENING = 4;

// Sums of a residual and its shortcut would grow from block to block if both had unit variance.
const RESIDUAL_GAIN = 0.3;
// Inputs of the stem have unit variance, not those of a ReLU, and the maximum of nine values is a large one.
const STEM_GAIN = 0.5;

/**
 * { stem, blocks: [{ convs, downsample }], linear: { name, inputs, outputs } }. A convolution: { name, inputs, outputs,
 * kernel, stride, relu, gain }, `gain` of its random weights; its padding keeps the size at stride 1.
 */
export function resnet(network) {
  const { blocks: counts, bottleneck } = SHAPES[network];
  const stem = conv('conv1', INPUT_CHANNELS, STEM_WIDTH, { kernel: 7, stride: 2, relu: true, gain: STEM_GAIN });
  const blocks = [];
  let inputs = STEM_WIDTH;
  counts.forEach((count, stage) => {
    const width = STEM_WIDTH << stage;
    const outputs = bottleneck ? width * BOTTLENECK_WIDENING : width;
    for (let index = 0; index < count; index++) {
      const name = `layer${stage + 1}.${index}`;
      const stride = stage > 0 && index === 0 ? 2 : 1;
      const layers = bottleneck ? bottleneckLayers : basicLayers;
      const widens = stride > 1 || inputs !== outputs;
      blocks.push({
        convs: layers(name, { inputs, width, outputs, stride }),
        downsample: widens ? conv(`${name}.downsample.0`, inputs, outputs, { kernel: 1, stride }) : undefined,
      });
      inputs = outputs;
    }
  });
  return { stem, blocks, linear: { name: 'fc', inputs, outputs: CLASSES } };
}

/**
 * All convolutions in the order of their names' blocks, a block's downsampling last, as tinyRuntime files have them.
 */
export function convolutions({ stem, blocks }) {
  return [stem, ...blocks.flatMap(({ convs, downsample }) => (downsample ? [...convs, downsample] : convs))];
}

/** Values of the largest tensor between layers, which is the output of the stem. */
export function largestActivation({ stem }) {
  return stem.outputs * (INPUT_SIDE / stem.stride) ** 2;
}

export const padding = ({ kernel }) => kernel >> 1;

function basicLayers(name, { inputs, outputs, stride }) {
  return [
    conv(`${name}.conv1`, inputs, outputs, { kernel: 3, stride, relu: true }),
    conv(`${name}.conv2`, outputs, outputs, { kernel: 3, gain: RESIDUAL_GAIN }),
  ];
}

function bottleneckLayers(name, { inputs, width, outputs, stride }) {
  return [
    conv(`${name}.conv1`, inputs, width, { kernel: 1, relu: true }),
    conv(`${name}.conv2`, width, width, { kernel: 3, stride, relu: true }),
    conv(`${name}.conv3`, width, outputs, { kernel: 1, gain: RESIDUAL_GAIN }),
  ];
}

function conv(name, inputs, outputs, { kernel, stride = 1, relu = false, gain = 1 }) {
  return { name, inputs, outputs, kernel, stride, relu, gain };
}

const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];

const RECTANGLES = 60;
const NOISE = 24;

/**
 * Rectangles and noise from a seed, the same on every machine: pixels in the order red, green, blue, which quintet
 * expects.
 */
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
