// The layers of models that map pictures and texts to vectors of one space, under transformers' names. Without imports
// of Node: pages load it too.
import { INPUT_SIDE } from '../resnet/resnet.mjs';
import { LayerList } from './layers.mjs';

const RESIDUAL = { gain: 0.3 };
const DEPTH = 12;

const MODELS = { 'CLIP ViT-B/32': clip, 'SigLIP-B/16': siglip };
export const TOWER_MODELS = Object.keys(MODELS);

/** { config, towers: { image, text } }: config.json as an object, and the layers of each tower. */
export function twoTowers(model) {
  return MODELS[model]();
}

/** The number of tokens in a text of 16 words: CLIP adds one at each end, SigLIP fills the text up. */
export const TEXT_TOKENS = { 'CLIP ViT-B/32': 18, 'SigLIP-B/16': 64 };

function transformer(list, x, root, { heads, intermediate, epsilon, activation, causal }) {
  const width = x.channels;
  for (let i = 0; i < DEPTH; i++) {
    const name = `${root}.encoder.layers.${i}`;
    const normed = list.layerNorm(x, `${name}.layer_norm1`, epsilon);
    const projected = ['q', 'k', 'v'].map((part) => list.linear(normed, `${name}.self_attn.${part}_proj`, width));
    const attended = list.attention(...projected, heads, { causal });
    x = list.sum(list.linear(attended, `${name}.self_attn.out_proj`, width, RESIDUAL), x);
    let y = list.layerNorm(x, `${name}.layer_norm2`, epsilon);
    y = list.linear(y, `${name}.mlp.fc1`, intermediate, { activation });
    x = list.sum(list.linear(y, `${name}.mlp.fc2`, width, RESIDUAL), x);
  }
  return x;
}

const VISION = 'vision_model';
const TEXT = 'text_model';
const patchEmbedding = (list, width, patch) =>
  list.conv(list.image, `${VISION}.embeddings.patch_embedding`, width, { kernel: patch, stride: patch });
const POSITIONS = 'embeddings.position_embedding.weight';
const textEmbedding = (list, sizes) =>
  list.embedding(`${TEXT}.embeddings.token_embedding.weight`, `${TEXT}.${POSITIONS}`, sizes);

function clip() {
  const [image, text] = [new LayerList(), new LayerList()];
  const style = { epsilon: 1e-5, activation: 'quick_gelu' };
  const vision = { hidden_size: 768, num_attention_heads: 12, intermediate_size: 3072, patch_size: 32 };
  const words = { hidden_size: 512, num_attention_heads: 8, intermediate_size: 2048, vocab_size: 49408 };
  const joint = 512;

  let x = patchEmbedding(image, vision.hidden_size, vision.patch_size);
  x = image.tokens(x, `${VISION}.embeddings.class_embedding`, `${VISION}.${POSITIONS}`);
  x = image.layerNorm(x, `${VISION}.pre_layrnorm`, style.epsilon);
  x = transformer(image, x, VISION, { ...style, heads: 12, intermediate: 3072 });
  image.linear(
    image.layerNorm(image.classToken(x), `${VISION}.post_layernorm`, style.epsilon),
    'visual_projection',
    joint,
  );

  let y = textEmbedding(text, {
    vocabulary: words.vocab_size,
    maxTokens: 77,
    channels: words.hidden_size,
    count: TEXT_TOKENS['CLIP ViT-B/32'],
  });
  y = transformer(text, y, TEXT, { ...style, heads: 8, intermediate: 2048, causal: true });
  text.linear(text.lastToken(text.layerNorm(y, `${TEXT}.final_layer_norm`, style.epsilon)), 'text_projection', joint);

  const common = { num_hidden_layers: DEPTH, hidden_act: 'quick_gelu', layer_norm_eps: style.epsilon };
  return {
    config: {
      model_type: 'clip',
      projection_dim: joint,
      vision_config: { ...common, ...vision, image_size: INPUT_SIDE },
      text_config: { ...common, ...words, max_position_embeddings: 77, eos_token_id: 49407 },
    },
    towers: { image: image.layers, text: text.layers },
  };
}

function siglip() {
  const [image, text] = [new LayerList(), new LayerList()];
  const style = { heads: 12, intermediate: 3072, epsilon: 1e-6, activation: 'gelu_tanh' };
  const width = 768;

  let x = image.patches(patchEmbedding(image, width, 16), `${VISION}.${POSITIONS}`);
  x = image.layerNorm(transformer(image, x, VISION, style), `${VISION}.post_layernorm`, style.epsilon);
  const head = `${VISION}.head`;
  x = image.linear(image.classToken(image.probe(x, head, style.heads)), `${head}.attention.out_proj`, width);
  let z = image.layerNorm(x, `${head}.layernorm`, style.epsilon);
  z = image.linear(z, `${head}.mlp.fc1`, style.intermediate, { activation: style.activation });
  image.sum(image.linear(z, `${head}.mlp.fc2`, width), x);

  const sizes = { vocabulary: 32000, maxTokens: 64, channels: width, count: TEXT_TOKENS['SigLIP-B/16'] };
  const y = text.layerNorm(
    transformer(text, textEmbedding(text, sizes), TEXT, style),
    `${TEXT}.final_layer_norm`,
    style.epsilon,
  );
  text.linear(text.lastToken(y), `${TEXT}.head`, width);

  const common = {
    hidden_size: width,
    num_hidden_layers: DEPTH,
    num_attention_heads: style.heads,
    intermediate_size: style.intermediate,
    hidden_act: 'gelu_pytorch_tanh',
    layer_norm_eps: style.epsilon,
  };
  return {
    config: {
      model_type: 'siglip',
      vision_config: { ...common, image_size: INPUT_SIDE, patch_size: 16 },
      text_config: { ...common, vocab_size: sizes.vocabulary, max_position_embeddings: sizes.maxTokens },
    },
    towers: { image: image.layers, text: text.layers },
  };
}
