// A ResNet as an ONNX graph. `Form` says how parameters are stored, and what stands behind each activation: nothing
// (FloatForm), or its quantization (onnx_quantized.mjs).
import { DataType, GraphBuilder } from '../files/onnx_graph.mjs';
import { CLASSES, INPUT_CHANNELS, INPUT_SIDE, padding } from './resnet.mjs';

/** DequantizeLinear per channel came with 13. */
const OPSET = 13;

export function writeOnnx(path, network, makeForm) {
  const graph = new GraphBuilder('resnet', OPSET);
  graph.input('image', DataType.FLOAT, [1, INPUT_CHANNELS, INPUT_SIDE, INPUT_SIDE]);
  graph.output('logits', DataType.FLOAT, [1, CLASSES]);
  graph.nodeWithOutputs('Identity', [addResNet(graph, network, makeForm(graph))], ['logits']);
  graph.write(path);
}

function addResNet(graph, { stem, blocks, linear }, form) {
  const conv = (x, layer) => {
    const y = graph.node('Conv', [x, ...form.parameters(layer, x)], windowAttributes(layer));
    return form.output(layer, layer.relu ? graph.node('Relu', [y]) : y);
  };
  const block = (x, { convs, downsample }, index) => {
    const y = convs.reduce(conv, x);
    const shortcut = downsample ? conv(x, downsample) : x;
    return form.sum(index, graph.node('Relu', [graph.node('Add', [y, shortcut])]));
  };

  let x = conv(form.image('image'), stem);
  x = form.like(x, graph.node('MaxPool', [x], windowAttributes({ kernel: 3, stride: 2 })));
  x = blocks.reduce(block, x);
  x = form.like(x, graph.node('GlobalAveragePool', [x]));
  x = form.like(x, graph.node('Flatten', [x], { axis: 1 }));
  return form.output(linear, graph.node('Gemm', [x, ...form.parameters(linear, x)], { transB: 1 }));
}

function windowAttributes(layer) {
  const { kernel, stride } = layer;
  return {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: Array(4).fill(padding(layer)),
  };
}

/** Parameters in float32; activations as they are. */
export class FloatForm {
  #graph;
  #tensors;

  constructor(graph, tensors) {
    this.#graph = graph;
    this.#tensors = tensors;
  }

  parameters({ name }) {
    return [`${name}.weight`, `${name}.bias`].map((tensor) => {
      const { shape, data } = this.#tensors.get(tensor);
      return this.#graph.floats(tensor, shape, data);
    });
  }

  image(x) {
    return x;
  }

  output(layer, x) {
    return x;
  }

  sum(block, x) {
    return x;
  }

  like(other, x) {
    return x;
  }
}
