// Models whose memory is compared with what `inspect` tells: { type, files, inspected, options }, where `inspected` is
// the file that `inspect` reads. All weights are zeros, except in the files of the package.
import { writeSafetensors } from 'quintet/safetensors';
import { wideResNets } from '../classify/wide_resnet.mjs';
import { ggufFile, tensorTypes } from '../helpers/models/gguf_writer.mjs';

const layers = (count, tensorsOf) => Array.from({ length: count }, (_, layer) => tensorsOf(layer)).flat();
const productOf = (shape) => shape.reduce((product, size) => product * size, 1);
const words = (count) => Array.from({ length: count }, (_, i) => `▁${i.toString(36)}`);

/** A Llama whose matrices all have one type. */
function llama(type) {
  const [width, hidden, vocabulary, count] = [512, 1024, 8192, 10];
  const matrix = (name, ...shape) => ({ name: `${name}.weight`, type, shape });
  const norm = (name) => ({ name: `${name}.weight`, type: 'F32', shape: [width] });
  const tensors = [
    matrix('token_embd', vocabulary, width),
    ...layers(count, (layer) => [
      norm(`blk.${layer}.attn_norm`),
      matrix(`blk.${layer}.attn_q`, width, width),
      matrix(`blk.${layer}.attn_k`, width / 2, width),
      matrix(`blk.${layer}.attn_v`, width / 2, width),
      matrix(`blk.${layer}.attn_output`, width, width),
      norm(`blk.${layer}.ffn_norm`),
      matrix(`blk.${layer}.ffn_gate`, hidden, width),
      matrix(`blk.${layer}.ffn_up`, hidden, width),
      matrix(`blk.${layer}.ffn_down`, width, hidden),
    ]),
    norm('output_norm'),
  ].map((tensor) => {
    const [, block, bytes] = tensorTypes[tensor.type];
    return { ...tensor, data: new Uint8Array((productOf(tensor.shape) / block) * bytes) };
  });
  const tokens = ['<unk>', '<s>', '</s>', ...words(vocabulary - 3)];
  return ggufFile({
    values: [
      ['general.architecture', 'string', 'llama'],
      ['llama.block_count', 'uint32', count],
      ['llama.context_length', 'uint32', 2048],
      ['llama.embedding_length', 'uint32', width],
      ['llama.feed_forward_length', 'uint32', hidden],
      ['llama.attention.head_count', 'uint32', 4],
      ['llama.attention.head_count_kv', 'uint32', 2],
      ['llama.attention.layer_norm_rms_epsilon', 'float32', 1e-5],
      ['tokenizer.ggml.model', 'string', 'llama'],
      ['tokenizer.ggml.tokens', 'array', { of: 'string', list: tokens }],
      ['tokenizer.ggml.scores', 'array', { of: 'float32', list: tokens.map((_, id) => -id) }],
      ['tokenizer.ggml.token_type', 'array', { of: 'int32', list: tokens.map((_, id) => [2, 3, 3][id] ?? 1) }],
      ['tokenizer.ggml.bos_token_id', 'uint32', 1],
      ['tokenizer.ggml.eos_token_id', 'uint32', 2],
    ],
    tensors,
  });
}

/** A folder of a BERT in float32. */
async function bert() {
  const [hidden, intermediate, vocabulary, positions, count] = [384, 1536, 8000, 512, 4];
  const tensors = new Map();
  const add = (name, ...shape) => tensors.set(name, { dtype: 'F32', shape, data: new Float32Array(productOf(shape)) });
  const linear = (name, outputs, inputs) => {
    add(`${name}.weight`, outputs, inputs);
    add(`${name}.bias`, outputs);
  };
  const norm = (name) => {
    add(`${name}.weight`, hidden);
    add(`${name}.bias`, hidden);
  };
  add('embeddings.word_embeddings.weight', vocabulary, hidden);
  add('embeddings.position_embeddings.weight', positions, hidden);
  add('embeddings.token_type_embeddings.weight', 2, hidden);
  norm('embeddings.LayerNorm');
  for (let layer = 0; layer < count; ++layer) {
    const name = `encoder.layer.${layer}`;
    for (const part of ['query', 'key', 'value']) linear(`${name}.attention.self.${part}`, hidden, hidden);
    linear(`${name}.attention.output.dense`, hidden, hidden);
    norm(`${name}.attention.output.LayerNorm`);
    linear(`${name}.intermediate.dense`, intermediate, hidden);
    linear(`${name}.output.dense`, hidden, intermediate);
    norm(`${name}.output.LayerNorm`);
  }
  const config = {
    model_type: 'bert',
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: count,
    num_attention_heads: 12,
    intermediate_size: intermediate,
    max_position_embeddings: positions,
    type_vocab_size: 2,
    hidden_act: 'gelu',
    layer_norm_eps: 1e-12,
  };
  const tokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...words(vocabulary - 5).map((word) => word.slice(1))];
  return {
    'config.json': JSON.stringify(config),
    'vocab.txt': tokens.join('\n'),
    'model.safetensors': await writeSafetensors(tensors),
  };
}

const file = (make) => async () => ({ 'model.bin': await make() });
const folder = 'model.safetensors';
const short = { contextLength: 300 };

/** `make`: the files by their names; absent for a file of the package. `inspected`: one of them. */
export const memoryModels = {
  'the bundled embedder': { type: 'Embedder', inspected: 'embedder-int8.weights' },
  'the bundled story model': { type: 'TextGenerator', inspected: 'stories260k.amb' },
  'the bundled classifier': { type: 'ImageClassifier', inspected: 'mobilenet_v2_imagenet.safetensors' },
  'a Llama in Q8_0': { type: 'TextGenerator', make: file(() => llama('Q8_0')), options: short },
  'a Llama in Q4_K, keys and values in int8': {
    type: 'TextGenerator',
    make: file(() => llama('Q4_K')),
    options: { contextLength: 1000, kvCache: 'int8' },
  },
  'a Llama in F16': { type: 'TextGenerator', make: file(() => llama('F16')), options: short },
  'a Llama in F16, quantized to int4': {
    type: 'TextGenerator',
    make: file(() => llama('F16')),
    options: { ...short, quantize: 'int4' },
  },
  'a BERT in float32': { type: 'Embedder', make: bert, inspected: folder },
  'a BERT, quantized to int8': { type: 'Embedder', make: bert, inspected: folder, options: { quantize: 'int8' } },
  'a ResNet-18 in float32': { type: 'ImageClassifier', make: file(() => wideResNets.vanilla().file) },
  'a ResNet-18 in dq8': { type: 'ImageClassifier', make: file(() => wideResNets.dq8().file) },
  'a ResNet-18 in sq8': { type: 'ImageClassifier', make: file(() => wideResNets.sq8().file) },
};
