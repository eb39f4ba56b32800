// The layers of networks as transformers has them, under its names, and its configurations. Without imports of Node:
// pages load it too.
import { CLASSES, INPUT_SIDE } from '../resnet/resnet.mjs';
import { LayerList } from './layers.mjs';

// Sums of a residual and its shortcut would grow from block to block if both had unit variance.
const RESIDUAL_GAIN = 0.3;

const NETWORKS = {
  MobileNetV2: mobileNetV2,
  'EfficientNet-B0': efficientNetB0,
  'ConvNeXt-tiny': convNextTiny,
  'ViT-B/16': vitBase,
};
export const VISION_NETWORKS = Object.keys(NETWORKS);

/** { config, layers }: the text of config.json as an object, and layers in the order of their computation. */
export function visionNetwork(name) {
  const list = new LayerList();
  const config = NETWORKS[name](list);
  return { config, layers: list.layers };
}

const MOBILENET_WIDTHS = [
  { channels: 24, repeats: 2, stride: 2 },
  { channels: 32, repeats: 3, stride: 2 },
  { channels: 64, repeats: 4, stride: 2 },
  { channels: 96, repeats: 3, stride: 1 },
  { channels: 160, repeats: 3, stride: 2 },
  { channels: 320, repeats: 1, stride: 1 },
];
const EXPANSION = 6;

function mobileNetV2(list) {
  const root = 'mobilenet_v2.';
  const epsilon = 1e-3;
  const conv = (x, name, outputs, options) =>
    list.conv(x, `${name}.convolution`, outputs, { norm: `${name}.normalization`, epsilon, ...options });
  const depthwise = (x, name, stride) =>
    conv(x, name, x.channels, { kernel: 3, stride, groups: x.channels, activation: 'relu6' });

  let x = conv(list.image, `${root}conv_stem.first_conv`, 32, { kernel: 3, stride: 2, activation: 'relu6' });
  x = conv(depthwise(x, `${root}conv_stem.conv_3x3`, 1), `${root}conv_stem.reduce_1x1`, 16);
  let layer = 0;
  for (const { channels, repeats, stride } of MOBILENET_WIDTHS) {
    for (let i = 0; i < repeats; i++) {
      const name = `${root}layer.${layer++}`;
      const gain = i === 0 ? 1 : RESIDUAL_GAIN;
      let y = conv(x, `${name}.expand_1x1`, EXPANSION * x.channels, { activation: 'relu6' });
      y = depthwise(y, `${name}.conv_3x3`, i === 0 ? stride : 1);
      y = conv(y, `${name}.reduce_1x1`, channels, { gain });
      x = i === 0 ? y : list.sum(y, x);
    }
  }
  x = conv(x, `${root}conv_1x1`, 1280, { activation: 'relu6' });
  list.linear(list.flat(list.mean(x)), 'classifier', CLASSES);
  return {
    model_type: 'mobilenet_v2',
    architectures: ['MobileNetV2ForImageClassification'],
    image_size: INPUT_SIDE,
    depth_multiplier: 1,
    expand_ratio: EXPANSION,
    hidden_act: 'relu6',
    tf_padding: true,
    layer_norm_eps: epsilon,
  };
}

const EFFICIENTNET_STAGES = [
  { channels: 16, repeats: 1, stride: 1, kernel: 3, expansion: 1 },
  { channels: 24, repeats: 2, stride: 2, kernel: 3, expansion: 6 },
  { channels: 40, repeats: 2, stride: 2, kernel: 5, expansion: 6 },
  { channels: 80, repeats: 3, stride: 2, kernel: 3, expansion: 6 },
  { channels: 112, repeats: 3, stride: 1, kernel: 5, expansion: 6 },
  { channels: 192, repeats: 4, stride: 2, kernel: 5, expansion: 6 },
  { channels: 320, repeats: 1, stride: 1, kernel: 3, expansion: 6 },
];
const SQUEEZE = 4;

function efficientNetB0(list) {
  const encoder = 'efficientnet.encoder.';
  const epsilon = 1e-3;
  const activation = 'silu';
  const conv = (x, name, norm, outputs, options) => list.conv(x, name, outputs, { norm, epsilon, ...options });
  const excited = (x, name, squeezed) => {
    const reduced = list.conv(list.mean(x), `${name}.reduce`, squeezed, { activation });
    return list.gated(x, list.conv(reduced, `${name}.expand`, x.channels, { activation: 'sigmoid' }));
  };
  const block = (x, name, { channels, kernel, expansion }, stride, gain) => {
    const [expand, depthwise, project] = ['expansion.expand', 'depthwise_conv.depthwise', 'projection.project'].map(
      (part) => `${name}.${part}`,
    );
    let y = x;
    if (expansion > 1) y = conv(y, `${expand}_conv`, `${expand}_bn`, expansion * x.channels, { activation });
    const options = { kernel, stride, groups: y.channels, activation };
    y = conv(y, `${depthwise}_conv`, `${depthwise}_norm`, y.channels, options);
    y = excited(y, `${name}.squeeze_excite`, x.channels / SQUEEZE);
    return conv(y, `${project}_conv`, `${project}_bn`, channels, { gain });
  };

  const stem = 'efficientnet.embeddings.';
  const options = { kernel: 3, stride: 2, activation };
  let x = conv(list.image, `${stem}convolution`, `${stem}batchnorm`, 32, options);
  let index = 0;
  for (const stage of EFFICIENTNET_STAGES) {
    for (let i = 0; i < stage.repeats; i++) {
      const name = `${encoder}blocks.${index++}`;
      x = i === 0 ? block(x, name, stage, stage.stride, 1) : list.sum(block(x, name, stage, 1, RESIDUAL_GAIN), x);
    }
  }
  x = conv(x, `${encoder}top_conv`, `${encoder}top_bn`, 1280, { activation });
  list.linear(list.flat(list.mean(x)), 'classifier', CLASSES);
  return {
    model_type: 'efficientnet',
    architectures: ['EfficientNetForImageClassification'],
    image_size: INPUT_SIDE,
    width_coefficient: 1,
    depth_coefficient: 1,
    hidden_act: 'swish',
    batch_norm_eps: epsilon,
  };
}

const CONVNEXT_DEPTHS = [3, 3, 9, 3];
const CONVNEXT_WIDTHS = [96, 192, 384, 768];
const WIDENING = 4;

function convNextTiny(list) {
  const root = 'convnext.';
  // transformers has it in its code; the one in the configuration is for the last norm.
  const epsilon = 1e-6;
  const lastEpsilon = 1e-12;
  const patches = (x, name, outputs, kernel) => list.conv(x, name, outputs, { kernel, stride: kernel });
  const norm = (x, name) => list.layerNorm(list.channelsLast(x), name, epsilon);
  const block = (x, name) => {
    let y = list.conv(x, `${name}.dwconv`, x.channels, { kernel: 7, groups: x.channels });
    y = norm(y, `${name}.layernorm`);
    y = list.linear(y, `${name}.pwconv1`, WIDENING * x.channels, { activation: 'gelu' });
    y = list.linear(y, `${name}.pwconv2`, x.channels);
    y = list.layerScale(y, `${name}.layer_scale_parameter`, RESIDUAL_GAIN);
    return list.sum(x, list.channelsFirst(y));
  };

  let x = patches(list.image, `${root}embeddings.patch_embeddings`, CONVNEXT_WIDTHS[0], 4);
  x = list.channelsFirst(norm(x, `${root}embeddings.layernorm`));
  CONVNEXT_DEPTHS.forEach((depth, stage) => {
    const name = `${root}encoder.stages.${stage}`;
    if (stage > 0) {
      const normed = list.channelsFirst(norm(x, `${name}.downsampling_layer.0`));
      x = patches(normed, `${name}.downsampling_layer.1`, CONVNEXT_WIDTHS[stage], 2);
    }
    for (let i = 0; i < depth; i++) x = block(x, `${name}.layers.${i}`);
  });
  const features = list.layerNorm(list.flat(list.mean(x)), `${root}layernorm`, lastEpsilon);
  list.linear(features, 'classifier', CLASSES);
  return {
    model_type: 'convnext',
    architectures: ['ConvNextForImageClassification'],
    image_size: INPUT_SIDE,
    patch_size: 4,
    num_stages: CONVNEXT_DEPTHS.length,
    depths: CONVNEXT_DEPTHS,
    hidden_sizes: CONVNEXT_WIDTHS,
    hidden_act: 'gelu',
    layer_norm_eps: lastEpsilon,
  };
}

function vitBase(list) {
  const [depth, width, heads, intermediate, patch, epsilon] = [12, 768, 12, 3072, 16, 1e-12];
  const embeddings = 'vit.embeddings.';
  const residual = { gain: RESIDUAL_GAIN };
  let x = list.conv(list.image, `${embeddings}patch_embeddings.projection`, width, { kernel: patch, stride: patch });
  x = list.tokens(x, `${embeddings}cls_token`, `${embeddings}position_embeddings`);
  for (let i = 0; i < depth; i++) {
    const name = `vit.encoder.layer.${i}`;
    const normed = list.layerNorm(x, `${name}.layernorm_before`, epsilon);
    const projected = ['query', 'key', 'value'].map((part) =>
      list.linear(normed, `${name}.attention.attention.${part}`, width),
    );
    const attended = list.attention(...projected, heads);
    x = list.sum(list.linear(attended, `${name}.attention.output.dense`, width, residual), x);
    let y = list.layerNorm(x, `${name}.layernorm_after`, epsilon);
    y = list.linear(y, `${name}.intermediate.dense`, intermediate, { activation: 'gelu' });
    x = list.sum(list.linear(y, `${name}.output.dense`, width, residual), x);
  }
  list.linear(list.classToken(list.layerNorm(x, 'vit.layernorm', epsilon)), 'classifier', CLASSES);
  return {
    model_type: 'vit',
    architectures: ['ViTForImageClassification'],
    image_size: INPUT_SIDE,
    patch_size: patch,
    hidden_size: width,
    num_hidden_layers: depth,
    num_attention_heads: heads,
    intermediate_size: intermediate,
    hidden_act: 'gelu',
    qkv_bias: true,
    layer_norm_eps: epsilon,
  };
}
