// Writes GGUF files for the tests, after the format's specification.

export const valueTypes = [
  'uint8',
  'int8',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'float32',
  'bool',
  'string',
  'array',
  'uint64',
  'int64',
  'float64',
];

/** The number, values and bytes of a block of ggml's types. */
export const tensorTypes = {
  F32: [0, 1, 4],
  F16: [1, 1, 2],
  Q4_0: [2, 32, 18],
  Q4_1: [3, 32, 20],
  Q5_0: [6, 32, 22],
  Q5_1: [7, 32, 24],
  Q8_0: [8, 32, 34],
  Q4_K: [12, 256, 144],
  Q5_K: [13, 256, 176],
  Q6_K: [14, 256, 210],
  I8: [24, 1, 1],
  I16: [25, 1, 2],
  I32: [26, 1, 4],
  I64: [27, 1, 8],
  F64: [28, 1, 8],
  BF16: [30, 1, 2],
};

const little = (bytes, set) => {
  const view = new DataView(new ArrayBuffer(bytes));
  set(view);
  return new Uint8Array(view.buffer);
};
const u32 = (number) => little(4, (view) => view.setUint32(0, number, true));
const u64 = (number) => little(8, (view) => view.setBigUint64(0, BigInt(number), true));

function string(text) {
  const bytes = new TextEncoder().encode(text);
  return [u64(bytes.length), bytes];
}

const scalars = {
  uint8: (x) => little(1, (view) => view.setUint8(0, x)),
  int8: (x) => little(1, (view) => view.setInt8(0, x)),
  uint16: (x) => little(2, (view) => view.setUint16(0, x, true)),
  int16: (x) => little(2, (view) => view.setInt16(0, x, true)),
  uint32: u32,
  int32: (x) => little(4, (view) => view.setInt32(0, x, true)),
  float32: (x) => little(4, (view) => view.setFloat32(0, x, true)),
  bool: (x) => little(1, (view) => view.setUint8(0, x ? 1 : 0)),
  uint64: u64,
  int64: (x) => little(8, (view) => view.setBigInt64(0, BigInt(x), true)),
  float64: (x) => little(8, (view) => view.setFloat64(0, x, true)),
};

/** A value's bytes; arrays are { of, list }. */
function valueBytes(type, value) {
  if (type === 'string') return string(value);
  if (type !== 'array') return [scalars[type](value)];
  const elements = value.list.flatMap((element) => valueBytes(value.of, element));
  return [u32(valueTypes.indexOf(value.of)), u64(value.list.length), ...elements];
}

function join(pieces) {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

const padded = (bytes, alignment) =>
  join([bytes, new Uint8Array((alignment - (bytes.length % alignment)) % alignment)]);

/**
 * @param values [key, type, value]
 * @param tensors { name, type, shape, data? }: the shape from the outermost; data counts upwards where it is left out
 */
export function ggufFile({ version = 3, alignment = 32, values = [], tensors = [] }) {
  const index = [];
  const data = [];
  let offset = 0;
  for (const { name, type, shape, data: bytes } of tensors) {
    const [number, block, blockBytes] = tensorTypes[type];
    const size = (shape.reduce((product, dimension) => product * dimension, 1) / block) * blockBytes;
    const dimensions = shape.toReversed().map(u64);
    index.push(...string(name), u32(shape.length), ...dimensions, u32(number), u64(offset));
    data.push(padded(bytes ?? Uint8Array.from({ length: size }, (_, i) => i), alignment));
    offset += data.at(-1).length;
  }
  const pairs = values.flatMap(([key, type, value]) => [
    ...string(key),
    u32(valueTypes.indexOf(type)),
    ...valueBytes(type, value),
  ]);
  const head = [
    new TextEncoder().encode('GGUF'),
    u32(version),
    u64(tensors.length),
    u64(values.length),
    ...pairs,
    ...index,
  ];
  return join([padded(join(head), alignment), ...data]);
}

/** The metadata of a Llama model of one layer, 4 heads of 4, width 16, with a vocabulary of 6 pieces. */
export const tinyLlama = {
  values: [
    ['general.architecture', 'string', 'llama'],
    ['llama.block_count', 'uint32', 1],
    ['llama.context_length', 'uint32', 64],
    ['llama.embedding_length', 'uint32', 16],
    ['llama.feed_forward_length', 'uint32', 32],
    ['llama.attention.head_count', 'uint32', 4],
    ['llama.attention.head_count_kv', 'uint32', 2],
    ['llama.attention.layer_norm_rms_epsilon', 'float32', 0.25],
    ['tokenizer.ggml.model', 'string', 'llama'],
    ['tokenizer.ggml.tokens', 'array', { of: 'string', list: ['<unk>', '<s>', '</s>', '▁', 'a', '▁a'] }],
    ['tokenizer.ggml.scores', 'array', { of: 'float32', list: [0, 0, 0, -1, -2, -3] }],
    ['tokenizer.ggml.token_type', 'array', { of: 'int32', list: [2, 3, 3, 1, 1, 1] }],
    ['tokenizer.ggml.bos_token_id', 'uint32', 1],
    ['tokenizer.ggml.eos_token_id', 'uint32', 2],
  ],
  tensors: [
    { name: 'token_embd.weight', type: 'F16', shape: [6, 16] },
    { name: 'blk.0.attn_norm.weight', type: 'F32', shape: [16] },
    { name: 'blk.0.attn_q.weight', type: 'F16', shape: [16, 16] },
    { name: 'blk.0.attn_k.weight', type: 'F16', shape: [8, 16] },
    { name: 'blk.0.attn_v.weight', type: 'BF16', shape: [8, 16] },
    { name: 'blk.0.attn_output.weight', type: 'F16', shape: [16, 16] },
    { name: 'blk.0.ffn_norm.weight', type: 'F32', shape: [16] },
    { name: 'blk.0.ffn_gate.weight', type: 'F16', shape: [32, 16] },
    { name: 'blk.0.ffn_up.weight', type: 'F16', shape: [32, 16] },
    { name: 'blk.0.ffn_down.weight', type: 'Q8_0', shape: [16, 32] },
    { name: 'output_norm.weight', type: 'F32', shape: [16] },
  ],
};
