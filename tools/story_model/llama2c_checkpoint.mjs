// Checkpoints of karpathy/llama2.c in its first layout (export.py, legacy_export): a header of seven int32, then
// float32 tensors, each kind for all layers together.

const HEADER_INTS = 7;

/** The sizes, and the tensors under Hugging Face's names. */
export function readCheckpoint(file) {
  const bytes = new Uint8Array(file);
  const header = new Int32Array(bytes.buffer, 0, HEADER_INTS);
  const [dim, hiddenDim, layers, heads, kvHeads, signedVocabulary, positions] = header;
  const sizes = { dim, hiddenDim, layers, heads, kvHeads, positions, headDim: dim / heads };
  // A negative size means that the output matrix is stored; ours is tied to the embeddings.
  if (signedVocabulary <= 0) throw new Error('an output matrix of its own is not supported');
  const take = reader(new Float32Array(bytes.buffer, HEADER_INTS * 4));
  const tensors = new Map();
  const add = (name, shape, values) => tensors.set(name, { dtype: 'F32', shape, data: values });
  const addLayers = (name, shape, change = (values) => values) => {
    const count = shape.reduce((product, size) => product * size, 1);
    for (let layer = 0; layer < layers; ++layer)
      add(`model.layers.${layer}.${name}.weight`, shape, change(take(count)));
  };

  add('model.embed_tokens.weight', [signedVocabulary, dim], take(signedVocabulary * dim));
  addLayers('input_layernorm', [dim]);
  addLayers('self_attn.q_proj', [dim, dim], (values) => halvesInsteadOfPairs(values, heads, sizes.headDim, dim));
  const kvDim = kvHeads * sizes.headDim;
  addLayers('self_attn.k_proj', [kvDim, dim], (values) => halvesInsteadOfPairs(values, kvHeads, sizes.headDim, dim));
  addLayers('self_attn.v_proj', [kvDim, dim]);
  addLayers('self_attn.o_proj', [dim, dim]);
  addLayers('post_attention_layernorm', [dim]);
  addLayers('mlp.gate_proj', [hiddenDim, dim]);
  addLayers('mlp.down_proj', [dim, hiddenDim]);
  addLayers('mlp.up_proj', [hiddenDim, dim]);
  add('model.norm.weight', [dim], take(dim));
  return { sizes: { ...sizes, vocabulary: signedVocabulary }, tensors };
}

function reader(values) {
  let at = 0;
  return (count) => {
    if (at + count > values.length) throw new Error(`the checkpoint ends within a tensor of ${count} values`);
    return values.slice(at, (at += count));
  };
}

/**
 * llama2.c rotates neighbours, elements 2i and 2i + 1 of a head; Hugging Face's models rotate i and i + headDim / 2.
 * The rows of the query and key projections change places accordingly.
 */
function halvesInsteadOfPairs(values, heads, headDim, columns) {
  const moved = new Float32Array(values.length);
  for (let row = 0; row < heads * headDim; ++row) {
    const inHead = row % headDim;
    const half = (inHead % 2) * (headDim / 2) + (inHead >> 1);
    moved.set(values.subarray(row * columns, (row + 1) * columns), (row - inHead + half) * columns);
  }
  return moved;
}
