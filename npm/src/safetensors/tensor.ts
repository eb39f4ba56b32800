// Converts a tensor's bytes to an array of its type, and arrays to bytes.

import { isA, oneOf, type Rule } from '../base/values.js';
import { fromFloat32, isNarrow, isSmallFloat, toFloat32 } from './floats.js';
import type { SafetensorsFloats, SafetensorsTensor } from './types.js';

const arrayTypes = {
  F64: Float64Array,
  F32: Float32Array,
  C64: Float32Array,
  I64: BigInt64Array,
  U64: BigUint64Array,
  I32: Int32Array,
  U32: Uint32Array,
  I16: Int16Array,
  U16: Uint16Array,
  F16: Uint16Array,
  BF16: Uint16Array,
  I8: Int8Array,
} as const;

/** The form in which floats of 16 bits and fewer are returned. */
export const floatsRule: Rule = oneOf('bits', 'float32');

/** Takes ownership of the bytes, and copies them only if they are not aligned. */
export function tensorOf<F extends SafetensorsFloats>(
  dtype: string,
  shape: number[],
  data: Uint8Array,
  floats: F,
): SafetensorsTensor<F> {
  const ArrayType = arrayTypes[dtype as keyof typeof arrayTypes] ?? Uint8Array;
  const width = ArrayType.BYTES_PER_ELEMENT;
  const { buffer, byteOffset } = data.byteOffset % width === 0 ? data : data.slice();
  const values = new ArrayType(buffer as ArrayBuffer, byteOffset, data.length / width);
  const tensor = { dtype, shape, data: values } as SafetensorsTensor;
  const asked = floats === 'float32' && isSmallFloat(dtype) ? { ...tensor, data: toFloat32(tensor) } : tensor;
  return asked as SafetensorsTensor<F>;
}

/** The bytes to store for an array: its own, or those of its values rounded to `dtype`. */
export function storedBytes(dtype: string, data: ArrayBufferView): Uint8Array {
  const isRounded = isNarrow(dtype) && isA(data, 'Float32Array');
  const { buffer, byteOffset, byteLength } = isRounded ? fromFloat32(dtype, data as Float32Array) : data;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
