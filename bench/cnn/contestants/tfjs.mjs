// TensorFlow.js on its WebAssembly backend: the network of its own operations, convolutions fused with bias and ReLU, from
// weights in its own layout.
import { padding, resnet } from '../model/resnet.mjs';

export async function open({ model, network, platform }) {
  const tf = await platform.importLibrary('tfjs-backend-wasm');
  await tf.setBackend('wasm');
  await tf.ready();
  const tensors = readTensors(tf, await platform.readFile(model));
  return new TensorFlow(tf, resnet(network), tensors);
}

class TensorFlow {
  #tf;
  #network;
  #tensors;
  #image;

  constructor(tf, network, tensors) {
    this.#tf = tf;
    this.#network = network;
    this.#tensors = tensors;
  }

  setInput(planes, [channels, height, width]) {
    const tf = this.#tf;
    this.#image?.dispose();
    this.#image = tf.tidy(() => tf.transpose(tf.tensor(planes, [1, channels, height, width]), [0, 2, 3, 1]));
  }

  async logits() {
    const y = this.#tf.tidy(() => this.#run());
    const values = await y.data();
    y.dispose();
    return values;
  }

  #run() {
    const tf = this.#tf;
    const { stem, blocks, linear } = this.#network;
    let x = tf.maxPool(this.#conv(this.#image, stem), 3, 2, 1, 'floor');
    for (const { convs, downsample } of blocks) {
      const y = convs.reduce((input, layer) => this.#conv(input, layer), x);
      x = tf.relu(tf.add(y, downsample ? this.#conv(x, downsample) : x));
    }
    const [weight, bias] = this.#parameters(linear);
    return tf.fused.matMul({ a: tf.mean(x, [1, 2]), b: weight, bias });
  }

  #conv(x, layer) {
    const [filter, bias] = this.#parameters(layer);
    return this.#tf.fused.conv2d({
      x,
      filter,
      bias,
      strides: layer.stride,
      pad: padding(layer),
      dimRoundingMode: 'floor',
      activation: layer.relu ? 'relu' : 'linear',
    });
  }

  #parameters({ name }) {
    return [this.#tensors.get(`${name}.weight`), this.#tensors.get(`${name}.bias`)];
  }
}

/** Tensors by name, of the bytes of a safetensors file. */
function readTensors(tf, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const headerEnd = 8 + view.getUint32(0, true);
  const { __metadata__: _, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, headerEnd)));
  return new Map(
    Object.entries(header).map(([name, { shape, data_offsets: [begin, end] }]) => {
      const values = bytes.slice(headerEnd + begin, headerEnd + end);
      return [name, tf.tensor(new Float32Array(values.buffer), shape)];
    }),
  );
}
