// quintet/safetensors: the container alone, without the engine.

import { isA, typeName } from './byte_source.js';
import { inputError } from './errors.js';
import { readContainer, writeContainer, type ContainedTensor } from './safetensors_container.js';
import { bitsOf, bytesOf, isTextMap } from './safetensors_header.js';
import type { ModelSource } from './types.js';

export { QuintetError, type ErrorCode, type ErrorDetails, type ErrorReason } from './errors.js';
export { toFloat32 } from './safetensors_floats.js';
export type { ModelSource } from './types.js';

/** What holds the values of each type. Floats that JavaScript has no array for are there as their bits. */
export interface SafetensorsArrays {
  F64: Float64Array;
  F32: Float32Array;
  /** Bits; see `toFloat32`. */
  F16: Uint16Array;
  /** Bits; see `toFloat32`. */
  BF16: Uint16Array;
  /** Pairs of real and imaginary part. */
  C64: Float32Array;
  I64: BigInt64Array;
  I32: Int32Array;
  I16: Int16Array;
  I8: Int8Array;
  U64: BigUint64Array;
  U32: Uint32Array;
  U16: Uint16Array;
  U8: Uint8Array;
  /** 0 or 1. */
  BOOL: Uint8Array;
  /** Bits; see `toFloat32`. */
  F8_E4M3: Uint8Array;
  F8_E5M2: Uint8Array;
  F8_E8M0: Uint8Array;
  /** As they are packed in the file. */
  F6_E2M3: Uint8Array;
  F6_E3M2: Uint8Array;
  F4: Uint8Array;
}

export type SafetensorsDtype = keyof SafetensorsArrays;

/** A tensor; `dtype` tells the type of `data`. */
export type SafetensorsTensor = {
  [D in SafetensorsDtype]: { dtype: D; shape: number[]; data: SafetensorsArrays[D] };
}[SafetensorsDtype];

export interface SafetensorsContent {
  /** In the order of the file's data. */
  tensors: Map<string, SafetensorsTensor>;
  metadata: Record<string, string>;
}

/** A tensor to be written: `data` holds its bytes, in an array of any type. */
export interface WritableTensor {
  dtype: SafetensorsDtype;
  shape: readonly number[];
  data: ArrayBufferView;
}

const arrayTypes = {
  F64: Float64Array, F32: Float32Array, C64: Float32Array, I64: BigInt64Array, U64: BigUint64Array,
  I32: Int32Array, U32: Uint32Array, I16: Int16Array, U16: Uint16Array, F16: Uint16Array, BF16: Uint16Array,
  I8: Int8Array,
} as const;

/**
 * Reads a safetensors file. The official rules are checked strictly: a good header without duplicate keys, and data that
 * cover the file without holes and overlaps. The arrays are copies, which mostly share one buffer.
 * @throws QuintetError FORMAT with `format` 'safetensors', `reason`, `offset` and `tensor`; IO, INPUT, MEMORY
 */
export async function readSafetensors(source: ModelSource): Promise<SafetensorsContent> {
  const { metadata, tensors } = await readContainer(source);
  return { tensors: new Map(tensors.map((tensor) => [tensor.name, typed(tensor)])), metadata };
}

function typed({ dtype, shape, data }: ContainedTensor): SafetensorsTensor {
  const ArrayType = arrayTypes[dtype as keyof typeof arrayTypes] ?? Uint8Array;
  const width = ArrayType.BYTES_PER_ELEMENT;
  const { buffer, byteOffset } = data.byteOffset % width === 0 ? data : data.slice();
  const values = new ArrayType(buffer as ArrayBuffer, byteOffset, data.length / width);
  return { dtype, shape, data: values } as SafetensorsTensor;
}

/**
 * The bytes of a safetensors file. Tensors stand by the size of their type, the largest first, then by name, so that the
 * same content gives the same bytes.
 * @throws QuintetError INPUT for a name that occurs twice, and data that do not fit type and shape
 */
export async function writeSafetensors(
  tensors: SafetensorsContent | Iterable<readonly [name: string, tensor: WritableTensor]>,
  metadata?: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  if (isContent(tensors)) return writeSafetensors(tensors.tensors, metadata ?? tensors.metadata);
  if (!isIterable(tensors)) throw inputError('wrong_type', `tensors cannot come from ${typeName(tensors)}`);
  if (metadata !== undefined && !isTextMap(metadata)) {
    throw inputError('wrong_type', 'the metadata do not map strings to strings');
  }
  const contained = Array.from(tensors, ([name, tensor]) => checked(name, tensor));
  const names = new Set(['__metadata__']);
  for (const { name } of contained) {
    if (names.has(name)) throw inputError('duplicate', `tensor ${JSON.stringify(name)}: the name is taken`);
    names.add(name);
  }
  return writeContainer({ metadata: metadata ?? {}, tensors: contained });
}

function isContent(value: unknown): value is SafetensorsContent {
  return isA(value, 'Object') && 'tensors' in (value as object);
}

function isIterable(value: unknown): value is Iterable<readonly [string, WritableTensor]> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function checked(name: unknown, tensor: WritableTensor): ContainedTensor {
  if (typeof name !== 'string') throw inputError('wrong_type', `a tensor's name is a string, not ${typeName(name)}`);
  const { dtype, shape, data } = tensor ?? {};
  const where = `tensor ${JSON.stringify(name)}`;
  if (!Array.isArray(shape) || !ArrayBuffer.isView(data)) {
    throw inputError('wrong_type', `${where} is not { dtype, shape, data }`);
  }
  if (bitsOf(dtype) === undefined) throw inputError('unknown_value', `${where}: its type is not known: ${String(dtype)}`);
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0) || bytesOf(dtype, shape) !== data.byteLength) {
    throw inputError('mismatch', `${where}: ${data.byteLength} bytes are not ${dtype} [${shape.join(', ')}]`);
  }
  return { name, dtype, shape, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
