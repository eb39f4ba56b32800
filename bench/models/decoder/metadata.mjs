// The metadata of a decoder's GGUF file.
import { CONTEXT_LENGTH, headDimOf, mixerOf } from '../decoder_shapes.mjs';
import { listPair, pair } from '../files/gguf.mjs';
import { tokenizerPairs } from './vocabulary.mjs';

/** All pairs of a key and a value, as bytes. */
export function metadataOf(shape) {
  const { architecture, layers, width, heads, feedForward, vocabulary } = shape;
  const { contextLength = CONTEXT_LENGTH, rotated = headDimOf(shape) } = shape;
  const own = (key, type, value) => (Array.isArray(value) ? listPair : pair)(`${architecture}.${key}`, type, value);
  return [
    pair('general.architecture', 'string', architecture),
    pair('general.name', 'string', 'random'),
    own('context_length', 'uint32', contextLength),
    own('embedding_length', 'uint32', width),
    own('block_count', 'uint32', layers),
    own('feed_forward_length', 'uint32', feedForward),
    own('rope.dimension_count', 'uint32', rotated),
    own('attention.key_length', 'uint32', headDimOf(shape)),
    own('attention.value_length', 'uint32', headDimOf(shape)),
    ...(shape.window ? [own('attention.sliding_window', 'uint32', shape.window)] : []),
    own('attention.head_count', 'uint32', heads),
    own('attention.head_count_kv', 'uint32', kvHeadsIn(shape)),
    own('attention.layer_norm_rms_epsilon', 'float32', shape.normEpsilon),
    own('rope.freq_base', 'float32', shape.ropeBase),
    own('vocab_size', 'uint32', vocabulary),
    ...Object.entries(shape.scales ?? {}).map(([key, value]) => own(key, 'float32', value)),
    ...(shape.experts ? expertPairs(shape.experts, own) : []),
    ...(shape.deltaNet ? deltaNetPairs(shape, own) : []),
    ...(shape.mamba ? mambaPairs(shape.mamba, own) : []),
    ...tokenizerPairs(shape.tokenizer, vocabulary),
  ];
}

/** Layers without heads of keys and values have Mamba-2. */
function kvHeadsIn(shape) {
  const { kvHeads, layers, mamba } = shape;
  if (!mamba) return kvHeads;
  return Array.from({ length: layers }, (_, layer) => (mixerOf(shape, layer) === 'attention' ? kvHeads : 0));
}

const expertPairs = ({ count, used }, own) => [
  own('expert_count', 'uint32', count),
  own('expert_used_count', 'uint32', used),
];

/** Includes the positions of its attention: the number of rotated pairs for each coordinate of an image. */
const deltaNetPairs = ({ deltaNet, mixers, positionSections }, own) => [
  own('rope.dimension_sections', 'int32', positionSections),
  own('full_attention_interval', 'uint32', mixers.length),
  ...statePairs({ ...deltaNet, groups: deltaNet.heads, state: deltaNet.headDim }, own),
];

/** Its attention has no positions. */
const mambaPairs = (mamba, own) => [
  own('rope.scaling.finetuned', 'bool', false),
  ...statePairs({ ...mamba, groups: 1 }, own),
];

const statePairs = ({ heads, headDim, groups, state, kernel }, own) => [
  own('ssm.conv_kernel', 'uint32', kernel),
  own('ssm.state_size', 'uint32', state),
  own('ssm.group_count', 'uint32', groups),
  own('ssm.time_step_rank', 'uint32', heads),
  own('ssm.inner_size', 'uint32', heads * headDim),
];
