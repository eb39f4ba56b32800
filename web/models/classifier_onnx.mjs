// A ResNet-20 of 8-bit integers as an ONNX file with the same 8-bit weights and activation scales, as pairs of
// QuantizeLinear and DequantizeLinear. onnxruntime-web runs it faster this way than in floats.

import { DataType, GraphBuilder } from '../../bench/models/files/onnx_graph.mjs';
import { QuantizedForm, readStaticRanges } from '../../bench/models/resnet/onnx.mjs';
import { inspect, readTensor } from '../../dist/node.js';

/** The first version with DequantizeLinear per channel. */
const OPSET = 13;
const CHANNELS = 3;
const SIDE = 32;
const STEM_WIDTH = 16;
const STAGES = 3;
const BLOCKS_OF_A_STAGE = 3;

export async function writeClassifierOnnx(classifier, path) {
  const { tensors: infos, config } = await inspect(classifier);
  const tensors = new Map();
  for (const { name } of infos) tensors.set(name, await readTensor(classifier, name));
  const network = resNet20();
  const graph = new GraphBuilder('resnet20', OPSET);
  graph.input('image', DataType.FLOAT, [1, CHANNELS, SIDE, SIDE]);
  graph.output('logits', DataType.FLOAT, [1, config.classes]);
  const form = new QuantizedForm(graph, tensors, await readStaticRanges(classifier, network));
  graph.nodeWithOutputs('Identity', [addResNet(graph, network, form)], ['logits']);
  graph.write(path);
}

/** ResNet-20 for CIFAR, with torchvision's names. */
function resNet20() {
  const blocks = Array.from({ length: STAGES * BLOCKS_OF_A_STAGE }, (_, index) => {
    const [stage, position] = [Math.floor(index / BLOCKS_OF_A_STAGE), index % BLOCKS_OF_A_STAGE];
    const name = `layer${stage + 1}.${position}`;
    const stride = stage > 0 && position === 0 ? 2 : 1;
    const convs = [
      { name: `${name}.conv1`, stride, relu: true },
      { name: `${name}.conv2`, stride: 1, relu: false },
    ];
    return { name, stride, convs, width: STEM_WIDTH << stage };
  });
  return { stem: { name: 'conv1', stride: 1, relu: true }, blocks, linear: { name: 'fc' } };
}

function addResNet(graph, { stem, blocks, linear }, form) {
  const conv = (x, layer) => {
    const strides = [layer.stride, layer.stride];
    const y = graph.node('Conv', [x, ...form.parameters(layer, x)], {
      kernel_shape: [3, 3],
      strides,
      pads: [1, 1, 1, 1],
    });
    return form.output(layer, layer.relu ? graph.node('Relu', [y]) : y);
  };
  const block = (x, { convs, ...shape }, index) => {
    const y = convs.reduce(conv, x);
    const sum = graph.node('Add', [y, shape.stride > 1 ? widened(graph, x, shape) : x]);
    return form.sum(index, graph.node('Relu', [sum]));
  };

  let x = blocks.reduce(block, conv(form.image('image'), stem));
  x = form.like(x, graph.node('GlobalAveragePool', [x]));
  x = form.like(x, graph.node('Flatten', [x], { axis: 1 }));
  return form.output(linear, graph.node('Gemm', [x, ...form.parameters(linear, x)], { transB: 1 }));
}

/**
 * A shortcut without parameters: every second row and column, with half of the new, zero channels before and half after
 * the old.
 */
function widened(graph, x, { name, width }) {
  const slice = { starts: [0, 0], ends: [SIDE, SIDE], axes: [2, 3], steps: [2, 2] };
  const bounds = Object.entries(slice).map(([part, values]) => graph.integers(`${name}.${part}`, values));
  const pads = graph.integers(`${name}.pads`, [0, width / 4, 0, 0, 0, width / 4, 0, 0]);
  return graph.node('Pad', [graph.node('Slice', [x, ...bounds]), pads]);
}
