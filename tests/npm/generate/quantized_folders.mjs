// Folders of decoders with quantized weights, written by the formulas of the programs that make them
// (docs/formats/huggingface.md, "Quantized weights"). Each packer returns the tensors of a matrix and the values that
// they stand for.

/** Rounds a number of at least 2^-14 to float16: { bits, value }. */
function half(value) {
  let exponent = Math.floor(Math.log2(value));
  let fraction = Math.round((value / 2 ** exponent - 1) * 1024);
  if (fraction === 1024) [exponent, fraction] = [exponent + 1, 0];
  return { bits: ((exponent + 15) << 10) | fraction, value: 2 ** exponent * (1 + fraction / 1024) };
}

/** Truncates a number to bfloat16: { bits, value }. */
function brain(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] >>> 16;
  return { bits, value: new Float32Array(Uint32Array.of(bits << 16).buffer)[0] };
}

/**
 * Groups of columns in whole numbers from 0 to 15 with scale and zero point: value = (q - zero) * scale. `number`
 * rounds scales to a type.
 */
function quantized({ shape: [rows, cols], values }, group, symmetric, number) {
  const groups = cols / group;
  const q = new Uint8Array(rows * cols);
  const scales = [];
  const zeros = [];
  const dequantized = new Float32Array(rows * cols);
  for (let i = 0; i < rows * groups; ++i) {
    const part = values.slice(i * group, (i + 1) * group);
    const least = Math.min(...part, -1e-3);
    const most = Math.max(...part, 1e-3);
    const scale = number(symmetric ? Math.max(-least, most) / 7 : (most - least) / 14);
    const zero = symmetric ? 8 : Math.min(15, Math.max(1, Math.round(-least / scale.value)));
    part.forEach((value, k) => {
      const at = i * group + k;
      q[at] = Math.min(15, Math.max(0, Math.round(value / scale.value) + zero));
      dequantized[at] = (q[at] - zero) * scale.value;
    });
    scales.push(scale.bits);
    zeros.push(zero);
  }
  return { q, scales, zeros, dequantized, groups };
}

/** 32-bit words of eight 4-bit numbers; `at(word, i)` is the i-th of a word. */
const words = (count, at) =>
  Int32Array.from({ length: count }, (_, word) => {
    let packed = 0;
    for (let i = 0; i < 8; ++i) packed |= at(word, i) << (4 * i);
    return packed;
  });

const transposed = (list, rows, cols) =>
  Array.from({ length: rows * cols }, (_, i) => list[(i % rows) * cols + Math.floor(i / rows)]);

/** AutoGPTQ: eight inputs of an output make a word; zero points are stored less one in the first version. */
export const gptq =
  ({ group, symmetric = true, version = 1, order }) =>
  (matrix) => {
    const [rows, cols] = matrix.shape;
    const { q, scales, zeros, dequantized, groups } = quantized(matrix, group, symmetric, half);
    const stored = (row, g) => zeros[row * groups + g] - (version === 1 ? 1 : 0);
    return {
      dequantized,
      tensors: {
        qweight: {
          dtype: 'I32',
          shape: [cols / 8, rows],
          data: words((cols / 8) * rows, (w, i) => q[(w % rows) * cols + Math.floor(w / rows) * 8 + i]),
        },
        qzeros: {
          dtype: 'I32',
          shape: [groups, rows / 8],
          data: words((groups * rows) / 8, (w, i) => stored((w % (rows / 8)) * 8 + i, Math.floor(w / (rows / 8)))),
        },
        scales: { dtype: 'F16', shape: [groups, rows], data: Uint16Array.from(transposed(scales, rows, groups)) },
        g_idx: {
          dtype: 'I32',
          shape: [cols],
          data: Int32Array.from({ length: cols }, order ?? ((_, i) => Math.floor(i / group))),
        },
      },
    };
  };

/** AutoAWQ, GEMM: eight outputs of an input make a word, in this order. */
const awqOrder = [0, 2, 4, 6, 1, 3, 5, 7];
export const awq =
  ({ group }) =>
  (matrix) => {
    const [rows, cols] = matrix.shape;
    const { q, scales, zeros, dequantized, groups } = quantized(matrix, group, false, half);
    const perRow = rows / 8;
    const output = (w, i) => (w % perRow) * 8 + awqOrder[i];
    return {
      dequantized,
      tensors: {
        qweight: {
          dtype: 'I32',
          shape: [cols, perRow],
          data: words(cols * perRow, (w, i) => q[output(w, i) * cols + Math.floor(w / perRow)]),
        },
        qzeros: {
          dtype: 'I32',
          shape: [groups, perRow],
          data: words(groups * perRow, (w, i) => zeros[output(w, i) * groups + Math.floor(w / perRow)]),
        },
        scales: { dtype: 'F16', shape: [groups, rows], data: Uint16Array.from(transposed(scales, rows, groups)) },
      },
    };
  };

/** compressed-tensors, pack-quantized. `group` 0: a scale for each output. */
export const packed =
  ({ group, symmetric = true }) =>
  (matrix) => {
    const [rows, cols] = matrix.shape;
    const { q, scales, zeros, dequantized, groups } = quantized(matrix, group || cols, symmetric, brain);
    return {
      dequantized,
      tensors: {
        weight_packed: {
          dtype: 'I32',
          shape: [rows, cols / 8],
          data: words((rows * cols) / 8, (w, i) => q[8 * w + i]),
        },
        weight_scale: { dtype: 'BF16', shape: [rows, groups], data: Uint16Array.from(scales) },
        weight_shape: { dtype: 'I64', shape: [2], data: BigInt64Array.of(BigInt(rows), BigInt(cols)) },
        ...(!symmetric && {
          weight_zero_point: {
            dtype: 'I32',
            shape: [rows / 8, groups],
            data: words((rows / 8) * groups, (w, i) => zeros[(Math.floor(w / groups) * 8 + i) * groups + (w % groups)]),
          },
        }),
      },
    };
  };

/** Rows of int8; `number` rounds scales to a type. */
function bytes({ shape: [rows, cols], values }, number) {
  const q = new Int8Array(rows * cols);
  const scales = [];
  const dequantized = Float32Array.from(q, (_, i) => {
    if (i % cols === 0) scales.push(number(Math.max(...values.slice(i, i + cols).map(Math.abs)) / 127));
    const { value } = scales.at(-1);
    q[i] = Math.max(-127, Math.min(127, Math.round(values[i] / value)));
    return q[i] * value;
  });
  return { q, scales, dequantized };
}

/** compressed-tensors, int-quantized, a scale for each output. */
export const int8 = () => (matrix) => {
  const { q, scales, dequantized } = bytes(matrix, brain);
  const weight_scale = {
    dtype: 'BF16',
    shape: [matrix.shape[0], 1],
    data: Uint16Array.from(scales, ({ bits }) => bits),
  };
  return { dequantized, tensors: { weight: { dtype: 'I8', shape: matrix.shape, data: q }, weight_scale } };
};

/** bitsandbytes LLM.int8(): SCB is the largest value of each output. */
export const bnb8 = () => (matrix) => {
  const { q, scales, dequantized } = bytes(matrix, (value) => ({ value: Math.fround(value) }));
  return {
    dequantized,
    tensors: {
      weight: { dtype: 'I8', shape: matrix.shape, data: q },
      SCB: { dtype: 'F32', shape: [matrix.shape[0]], data: Float32Array.from(scales, ({ value }) => value * 127) },
      weight_format: { dtype: 'U8', shape: [], data: Uint8Array.of(0) },
    },
  };
};

/** QLoRA (Dettmers et al. 2023, arXiv:2305.14314, appendix E). */
const nf4Values = [
  -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
  -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
  0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1,
];
/** bitsandbytes' FP4: a sign, two bits of exponent, one of fraction. */
const fp4Positive = [0, 1 / 192, 2 / 3, 1, 1 / 3, 1 / 2, 1 / 6, 1 / 4];
export const codebooks = { nf4: nf4Values, fp4: [...fp4Positive, ...fp4Positive.map((value) => -value)] };

/** bitsandbytes, 4 bits: blocks of 64 values; with `nested`, their scales are 8-bit codes in blocks of 256. */
export const bnb4 =
  ({ type = 'nf4', nested = false, block = 64 }) =>
  (matrix) => {
    const { shape, values } = matrix;
    const codebook = codebooks[type];
    const nearest = (list, value) => {
      let best = 0;
      for (let i = 1; i < list.length; ++i) if (Math.abs(list[i] - value) < Math.abs(list[best] - value)) best = i;
      return best;
    };
    const largest = Array.from({ length: values.length / block }, (_, i) =>
      Math.max(...values.slice(i * block, (i + 1) * block).map(Math.abs)),
    );
    const offset = Math.fround(largest.reduce((sum, each) => sum + each, 0) / largest.length);
    const outerCodebook = Float32Array.from({ length: 256 }, (_, i) => (i - 127) / 128);
    const outer = Float32Array.from({ length: Math.ceil(largest.length / 256) }, (_, i) =>
      Math.max(...largest.slice(i * 256, (i + 1) * 256).map((each) => Math.abs(each - offset)), 1e-6),
    );
    const scaleCodes = Uint8Array.from(largest, (each, i) =>
      nearest(outerCodebook, (each - offset) / outer[Math.floor(i / 256)]),
    );
    const scale = (i) =>
      nested
        ? Math.fround(Math.fround(outerCodebook[scaleCodes[i]] * outer[Math.floor(i / 256)]) + offset)
        : Math.fround(largest[i]);
    const codes = values.map((value, i) => nearest(codebook, value / scale(Math.floor(i / block))));
    const state = {
      quant_type: type,
      blocksize: block,
      dtype: 'bfloat16',
      shape,
      ...(nested && { nested_blocksize: 256, nested_dtype: 'float32', nested_offset: offset }),
    };
    const text = new TextEncoder().encode(JSON.stringify(state));
    const floats = (data) => ({ dtype: 'F32', shape: [data.length], data: Float32Array.from(data) });
    const small = (data) => ({ dtype: 'U8', shape: [data.length], data });
    return {
      dequantized: Float32Array.from(codes, (code, i) => Math.fround(codebook[code]) * scale(Math.floor(i / block))),
      tensors: {
        weight: {
          dtype: 'U8',
          shape: [values.length / 2, 1],
          data: Uint8Array.from({ length: values.length / 2 }, (_, i) => (codes[2 * i] << 4) | codes[2 * i + 1]),
        },
        'weight.absmax': nested ? small(scaleCodes) : floats(largest),
        'weight.quant_map': floats(codebook),
        ...(nested && { 'weight.nested_absmax': floats(outer), 'weight.nested_quant_map': floats(outerCodebook) }),
        [`weight.quant_state.bitsandbytes__${type}`]: small(text),
      },
    };
  };

export const configs = {
  gptq: ({ group, symmetric = true, version = 1 }) => ({
    quant_method: 'gptq',
    bits: 4,
    group_size: group,
    desc_act: false,
    sym: symmetric,
    checkpoint_format: version === 1 ? 'gptq' : 'gptq_v2',
  }),
  awq: ({ group }) => ({ quant_method: 'awq', bits: 4, group_size: group, version: 'gemm', zero_point: true }),
  packed: ({ group, symmetric = true }) =>
    compressed('pack-quantized', {
      num_bits: 4,
      type: 'int',
      symmetric,
      strategy: group ? 'group' : 'channel',
      group_size: group || null,
      actorder: null,
      dynamic: false,
    }),
  int8: () =>
    compressed('int-quantized', {
      num_bits: 8,
      type: 'int',
      symmetric: true,
      strategy: 'channel',
      group_size: null,
      dynamic: false,
    }),
  bnb4: ({ type = 'nf4', nested = false }) => ({
    quant_method: 'bitsandbytes',
    load_in_4bit: true,
    load_in_8bit: false,
    bnb_4bit_quant_type: type,
    bnb_4bit_use_double_quant: nested,
    bnb_4bit_quant_storage: 'uint8',
  }),
  bnb8: () => ({ quant_method: 'bitsandbytes', load_in_4bit: false, load_in_8bit: true, llm_int8_threshold: 6 }),
};

const compressed = (format, weights) => ({
  quant_method: 'compressed-tensors',
  format,
  quantization_status: 'compressed',
  ignore: ['lm_head'],
  kv_cache_scheme: null,
  config_groups: { group_0: { targets: ['Linear'], weights, input_activations: null, output_activations: null } },
});

/** The linear layers of all layers: those that are quantized. */
export const isQuantized = (name) => /layers\.\d+\..*(proj|w[123]|fc[12]|dense)\.weight$/.test(name);

/** { packed, plain }: the tensors of a model with quantized matrices, and with their values as F32, as Maps by name. */
export function quantizedTensors(tensors, pack) {
  const result = { packed: new Map(), plain: new Map() };
  for (const [name, { dtype, shape, values }] of tensors) {
    const plain = { dtype: 'F32', shape, data: Float32Array.from(values) };
    if (dtype !== 'F32') throw new Error(`${name} is ${dtype}`);
    if (!isQuantized(name)) {
      result.packed.set(name, plain);
      result.plain.set(name, plain);
      continue;
    }
    const { tensors: parts, dequantized } = pack({ shape, values });
    for (const [part, tensor] of Object.entries(parts)) result.packed.set(name.replace(/weight$/, part), tensor);
    result.plain.set(name, { ...plain, data: dequantized });
  }
  return result;
}
