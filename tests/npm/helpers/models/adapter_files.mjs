// Random low-rank adapters for a Hugging Face folder, as PEFT and llama.cpp write them, and the folder with the same
// product added to its weights.
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { plainSafetensors } from '../plain_safetensors.mjs';
import { ggufFile } from './gguf_writer.mjs';

/** Numbers in [-1, 1) that are the same each time (Numerical Recipes, third edition, section 7.1.4). */
function* numbersFrom(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 31 - 1;
  }
}

const floats = (count, source, size) => Float32Array.from({ length: count }, () => source.next().value * size);

/** { name: { shape, values } } as a safetensors file of float32. */
export function safetensorsFile(tensors) {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { shape, values }]) => {
    const begin = end;
    end += 4 * values.length;
    return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }];
  });
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(header.length), true);
  const data = Object.values(tensors).map(({ values }) => Buffer.from(Float32Array.from(values).buffer));
  return new Uint8Array(Buffer.concat([length, header, ...data]));
}

export const jsonFile = (value) => new TextEncoder().encode(JSON.stringify(value));

/** The tensors of a folder. */
export function folderTensors(folder) {
  const { tensors } = plainSafetensors(new Uint8Array(readFileSync(`${folder}/model.safetensors`)));
  return Object.fromEntries([...tensors].map(([name, { shape, values }]) => [name, { shape, values }]));
}

/**
 * A part for each matrix that is wanted: A of [rank][in] and B of [out][rank]. `transposed`: matrices of the folder
 * have columns in place of rows.
 */
export function randomParts(tensors, { isWanted, rankOf = () => 3, transposed = false, seed = 1 }) {
  const source = numbersFrom(seed);
  const parts = {};
  for (const [name, { shape }] of Object.entries(tensors)) {
    if (shape.length !== 2 || !isWanted(name)) continue;
    const [rows, columns] = transposed ? shape.toReversed() : shape;
    const rank = rankOf(name);
    parts[name] = { rank, rows, columns, a: floats(rank * columns, source, 0.5), b: floats(rows * rank, source, 0.5) };
  }
  return parts;
}

/** W + scale B A, in float64. */
export function merged(tensors, parts, scaleOf, transposed = false) {
  const sums = Object.entries(parts).map(([name, { rank, rows, columns, a, b }]) => {
    const values = Array.from(tensors[name].values);
    for (let row = 0; row < rows; ++row) {
      for (let column = 0; column < columns; ++column) {
        let sum = 0;
        for (let r = 0; r < rank; ++r) sum += b[row * rank + r] * a[r * columns + column];
        values[transposed ? column * rows + row : row * columns + column] += scaleOf(name) * sum;
      }
    }
    return [name, { ...tensors[name], values }];
  });
  return { ...tensors, ...Object.fromEntries(sums) };
}

/** The two files of PEFT. */
export function peftFiles(parts, config) {
  const entries = Object.entries(parts).flatMap(([name, { rank, rows, columns, a, b }]) => {
    const module = `base_model.model.${name.replace(/\.weight$/, '')}`;
    return [
      [`${module}.lora_A.weight`, { shape: [rank, columns], values: a }],
      [`${module}.lora_B.weight`, { shape: [rows, rank], values: b }],
    ];
  });
  return {
    'adapter_config.json': jsonFile({ peft_type: 'LORA', bias: 'none', task_type: 'CAUSAL_LM', ...config }),
    'adapter_model.safetensors': safetensorsFile(Object.fromEntries(entries)),
  };
}

/** Row i + h * half of a head becomes row 2 i + h, as llama.cpp's converter orders queries and keys of Llama. */
export function interleaved({ rows, rank, b }, headRows) {
  const half = headRows / 2;
  const out = new Float32Array(b.length);
  for (let row = 0; row < rows; ++row) {
    const inHead = row % headRows;
    const to = row - inHead + 2 * (inHead % half) + Math.floor(inHead / half);
    out.set(b.subarray(row * rank, (row + 1) * rank), to * rank);
  }
  return out;
}

/**
 * The GGUF file of llama.cpp's convert_lora_to_gguf.py. `nameOf`: its names of the matrices; `rowsOf`: B as it has it.
 */
export function ggufAdapter(parts, { architecture, alpha, nameOf, rowsOf = (_, { b }) => b, values = [] }) {
  const tensors = Object.entries(parts).flatMap(([name, part]) => {
    const { rank, rows, columns, a } = part;
    const bytes = (numbers) => new Uint8Array(Float32Array.from(numbers).buffer);
    return [
      { name: `${nameOf(name)}.lora_a`, type: 'F32', shape: [rank, columns], data: bytes(a) },
      { name: `${nameOf(name)}.lora_b`, type: 'F32', shape: [rows, rank], data: bytes(rowsOf(name, part)) },
    ];
  });
  const usual = [
    ['general.architecture', 'string', architecture],
    ['general.type', 'string', 'adapter'],
    ['adapter.type', 'string', 'lora'],
    ['adapter.lora.alpha', 'float32', alpha],
  ];
  const replaced = new Set(values.map(([key]) => key));
  return ggufFile({ values: [...usual.filter(([key]) => !replaced.has(key)), ...values], tensors });
}
