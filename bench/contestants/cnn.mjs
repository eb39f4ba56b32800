// Image classifiers. A job is the seed of a picture.
import { timed } from '../harness/stage.mjs';
import { INPUT_CHANNELS, INPUT_SIDE, padding, picture, planesOf, resnet } from '../models/resnet/resnet.mjs';
import { VISION_NETWORKS, visionNetwork } from '../models/vision/networks.mjs';
import { openSession } from './embedder.mjs';

const SHAPE = [INPUT_CHANNELS, INPUT_SIDE, INPUT_SIDE];

/** Each library gets the picture in the layout that it expects, before anything is timed. */
export const inputOf = (seed) => planesOf(picture(seed));

export const contestants = {
  quintet: openQuintet,
  'onnxruntime-web': openOnnxRuntime,
  'tfjs-backend-wasm': openTensorFlow,
  /** No classifier: makes the files of pictures, in a page. */
  encoder: async () => ({ encode }),
};

/** Calls quintet as its users do. */
async function openQuintet({ model, variant, threads = 1, quantize }, platform) {
  const { ImageClassifier } = await platform.importLibrary('quintet');
  const classifier = await ImageClassifier.load(platform.modelSource(model), { variant, threads, quantize });
  return {
    ...ofLogits((planes) => classifier.logits(planes, SHAPE)),
    weightBytes: () => classifier.info.memory.weights,
    /** Milliseconds from the bytes of a picture's file to its labels. */
    async measureFile(file, milliseconds) {
      const bytes = await platform.readFile(file);
      return timed(milliseconds, () => classifier.classify(bytes));
    },
  };
}

async function openOnnxRuntime(options, platform) {
  const { ort, session } = await openSession(options, platform);
  let feeds;
  return {
    ...ofLogits(async () => (await session.run(feeds)).logits.data),
    take(planes) {
      feeds = { image: new ort.Tensor('float32', planes, [1, ...SHAPE]) };
    },
  };
}

/** On its WebAssembly backend: the network of TensorFlow.js operations, convolutions fused with bias and activation. */
async function openTensorFlow({ model, network }, platform) {
  const tf = await platform.importLibrary('tfjs-backend-wasm');
  await tf.setBackend('wasm');
  await tf.ready();
  const tensors = readTensors(tf, await platform.readFile(model));
  const forward = VISION_NETWORKS.includes(network)
    ? tensorFlowLayers(tf, visionNetwork(network).layers, tensors)
    : tensorFlowResNet(tf, resnet(network), tensors);
  let image;
  return {
    ...ofLogits(async () => {
      const y = tf.tidy(() => forward(image));
      const values = await y.data();
      y.dispose();
      return values;
    }),
    take(planes) {
      image?.dispose();
      image = tf.tidy(() => tf.transpose(tf.tensor(planes, [1, ...SHAPE]), [0, 2, 3, 1]));
    },
  };
}

/** Logits as a plain array, which crosses process borders. */
const ofLogits = (logitsOf) => ({ run: logitsOf, answers: async (planes) => Array.from(await logitsOf(planes)) });

function tensorFlowResNet(tf, { stem, blocks, linear }, tensors) {
  const parameters = ({ name }) => [tensors.get(`${name}.weight`), tensors.get(`${name}.bias`)];
  const conv = (x, layer) => {
    const [filter, bias] = parameters(layer);
    return tf.fused.conv2d({
      x,
      filter,
      bias,
      strides: layer.stride,
      pad: padding(layer),
      dimRoundingMode: 'floor',
      activation: layer.relu ? 'relu' : 'linear',
    });
  };
  return (image) => {
    let x = tf.maxPool(conv(image, stem), 3, 2, 1, 'floor');
    for (const { convs, downsample } of blocks) {
      const y = convs.reduce((input, layer) => conv(input, layer), x);
      x = tf.relu(tf.add(y, downsample ? conv(x, downsample) : x));
    }
    const [weight, bias] = parameters(linear);
    return tf.fused.matMul({ a: tf.mean(x, [1, 2]), b: weight, bias });
  };
}

/** The kinds of layers that MobileNetV2 and EfficientNet have. Their paddings are TensorFlow's own. */
function tensorFlowLayers(tf, layers, tensors) {
  const parameters = ({ name }) => ({ filter: tensors.get(`${name}.weight`), bias: tensors.get(`${name}.bias`) });
  const conv = (layer, x, activation) => {
    const operation = layer.groups > 1 ? tf.fused.depthwiseConv2d : tf.fused.conv2d;
    return operation({ x, ...parameters(layer), strides: layer.stride, pad: 'same', activation });
  };
  const operations = {
    conv(layer, x) {
      if (layer.activation !== 'silu') return conv(layer, x, layer.activation === 'none' ? 'linear' : layer.activation);
      const y = conv(layer, x, 'linear');
      return tf.mul(y, tf.sigmoid(y));
    },
    sum: (layer, x, y) => tf.add(x, y),
    gated: (layer, x, factors) => tf.mul(x, factors),
    mean: (layer, x) => tf.mean(x, [1, 2], true),
    flat: (layer, x) => tf.reshape(x, [1, -1]),
    linear(layer, a) {
      const { filter, bias } = parameters(layer);
      return tf.fused.matMul({ a, b: filter, bias });
    },
  };
  return (image) => {
    const values = new Map();
    for (const layer of layers) {
      const inputs = layer.inputs.map((input) => values.get(input) ?? image);
      values.set(layer, operations[layer.kind](layer, ...inputs));
    }
    return values.get(layers.at(-1));
  };
}

/** Tensors by name, of the bytes of a safetensors file. */
function readTensors(tf, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const headerEnd = 8 + view.getUint32(0, true);
  const { __metadata__: _, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, headerEnd)));
  return new Map(
    Object.entries(header).map(
      ([
        name,
        {
          shape,
          data_offsets: [begin, end],
        },
      ]) => {
        const values = bytes.slice(headerEnd + begin, headerEnd + end);
        return [name, tf.tensor(new Float32Array(values.buffer), shape)];
      },
    ),
  );
}

/** A picture's file in base64. */
async function encode({ seed, width, height, type }) {
  const { data } = picture(seed, width, height);
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    image.data.set(data.subarray(3 * i, 3 * i + 3), 4 * i);
    image.data[4 * i + 3] = 255;
  }
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d').putImageData(image, 0, 0);
  const reader = new FileReader();
  reader.readAsDataURL(await canvas.convertToBlob({ type, quality: 0.9 }));
  await new Promise((resolve) => (reader.onload = resolve));
  return reader.result.slice(reader.result.indexOf(',') + 1);
}
