// The quantization of activations that quintet's calibration found, so that peers get the same
// (docs/formats/tinyruntime.md).
import { readFile } from 'node:fs/promises';

import { convolutions } from './resnet.mjs';

const WORD = 4;
const HEADER_WORDS = 7;
const CONV_WORDS = 11;
const LINEAR_WORDS = 8;
/** Of the output scale, which the zero point follows, in the record of a convolution and of a linear layer. */
const CONV_OUTPUT = 8;
const LINEAR_OUTPUT = 5;
/** Where the walk through the activation table stands behind the stem. */
const FIRST_COUNTER = 2;

/** Of an sq8 file with a plain tail: { image, outputs: Map by layer's name, sums: [by block] }, each { scale, zeroPoint }. */
export async function readStaticRanges(file, network) {
  const bytes = await readFile(file);
  const at = (word) => ({
    scale: bytes.readFloatLE(word * WORD),
    zeroPoint: bytes.readInt32LE((word + 1) * WORD),
  });
  const layers = convolutions(network);
  const linear = HEADER_WORDS + layers.length * CONV_WORDS;
  const activation = (index) => at(linear + LINEAR_WORDS + 2 * index);

  const outputs = new Map(layers.map(({ name }, i) => [name, at(HEADER_WORDS + i * CONV_WORDS + CONV_OUTPUT)]));
  outputs.set(network.linear.name, at(linear + LINEAR_OUTPUT));
  let counter = FIRST_COUNTER;
  const sums = network.blocks.map(({ convs, downsample }) => {
    counter += convs.length + (downsample ? 1 : 0) + 1;
    return activation(counter);
  });
  return { image: activation(0), outputs, sums };
}
