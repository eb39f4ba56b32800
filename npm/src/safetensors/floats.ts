// Converts values of any type to float32, and float32 to smaller floats.

import { inputError, unsupported } from '../base/errors.js';
import { isA, typeName } from '../base/values.js';
import type { SafetensorsArrays, SafetensorsFloats, SafetensorsTensor } from './types.js';

interface FloatLayout {
  exponentBits: number;
  mantissaBits: number;
  ArrayType: typeof Uint16Array | typeof Uint8Array;
  /** Has no infinities: the largest exponent is used for values, and its last code is NaN. */
  finite?: boolean;
}

const layouts: Record<string, FloatLayout> = {
  F16: { exponentBits: 5, mantissaBits: 10, ArrayType: Uint16Array },
  BF16: { exponentBits: 8, mantissaBits: 7, ArrayType: Uint16Array },
  F8_E5M2: { exponentBits: 5, mantissaBits: 2, ArrayType: Uint8Array },
  F8_E4M3: { exponentBits: 4, mantissaBits: 3, ArrayType: Uint8Array, finite: true },
};

type Narrow = 'F16' | 'BF16' | 'F8_E5M2' | 'F8_E4M3';

/** Whether float32 can be rounded to this type. */
export function isNarrow(dtype: string): dtype is Narrow {
  return Object.hasOwn(layouts, dtype);
}

/** Whether values of this type can be read as float32 with `floats: 'float32'`. */
export function isSmallFloat(dtype: string): boolean {
  return isNarrow(dtype) || dtype === 'F8_E8M0';
}

/**
 * Converts a tensor's values to float32: exact for floats of at most 32 bits and integers up to 2^24, else rounded.
 * @throws QuintetError UNSUPPORTED for complex numbers and for floats of less than 8 bits
 */
export function toFloat32(tensor: SafetensorsTensor<SafetensorsFloats>): Float32Array {
  const { dtype, data } = tensor;
  // Already float32, from reading with `floats: 'float32'`.
  if (isSmallFloat(dtype) && isA(data, 'Float32Array')) return Float32Array.from(data as Float32Array);
  if (isNarrow(dtype)) return widen(data as Uint8Array | Uint16Array, layouts[dtype]!);
  switch (dtype) {
    case 'F8_E8M0':
      return Float32Array.from(data, (exponent) => (exponent === 255 ? NaN : 2 ** (exponent - 127)));
    case 'I64':
    case 'U64':
      return Float32Array.from(data as ArrayLike<bigint>, Number);
    case 'C64':
    case 'F6_E2M3':
    case 'F6_E3M2':
    case 'F4':
      throw unsupported(
        `${dtype} cannot be converted to float32: complex numbers and floats below 8 bits are read as bits`,
      );
    default:
      return Float32Array.from(data);
  }
}

/**
 * Rounds values to the nearest value of a type, ties to even. Values that are too large become infinity, or NaN for
 * F8_E4M3, which has no infinity. NaN keeps the part of its payload that fits.
 * @throws QuintetError INPUT for other types
 */
export function fromFloat32<D extends 'F32' | Narrow>(dtype: D, values: Float32Array): SafetensorsArrays[D];
export function fromFloat32(dtype: string, values: Float32Array): Float32Array | Uint16Array | Uint8Array {
  if (!isA(values, 'Float32Array')) {
    throw inputError('wrong_type', `fromFloat32: values must be a Float32Array, not ${typeName(values)}`);
  }
  if (dtype === 'F32') return values.slice();
  if (!isNarrow(dtype)) {
    const types = Object.keys(layouts).join(', ');
    throw inputError('unknown_value', `fromFloat32: dtype must be F32, ${types}, not ${String(dtype)}`);
  }
  return narrow(values, layouts[dtype]!);
}

const float32Infinity = 0x7f800000;

/** Shifts the bits to their place in a float32, then multiplies to correct the exponent. */
function widen(data: Uint8Array | Uint16Array, layout: FloatLayout): Float32Array {
  const { exponentBits, mantissaBits, finite } = layout;
  const magnitudeMask = (1 << (exponentBits + mantissaBits)) - 1;
  const leastSpecial = finite ? magnitudeMask : magnitudeMask ^ ((1 << mantissaBits) - 1);
  const scale = 2 ** (127 - biasOf(layout));
  const shift = 23 - mantissaBits;
  const bits = new Uint32Array(data.length);
  const floats = new Float32Array(bits.buffer);
  data.forEach((value: number, i: number) => {
    const magnitude = value & magnitudeMask;
    bits[i] = magnitude << shift;
    if (magnitude >= leastSpecial) bits[i]! |= float32Infinity;
    else floats[i]! *= scale;
    bits[i]! |= (value >> (exponentBits + mantissaBits)) << 31;
  });
  return floats;
}

function narrow(floats: Float32Array, layout: FloatLayout): Uint16Array | Uint8Array {
  const { exponentBits, mantissaBits, ArrayType, finite } = layout;
  const bias = biasOf(layout);
  const drop = 23 - mantissaBits;
  // Magnitudes, as bits of a float32 and of the narrow type.
  const leastNormal = (128 - bias) << 23;
  const rebias = (127 - bias) << 23;
  const infinity = (((1 << exponentBits) - 1) << mantissaBits) | (finite ? (1 << mantissaBits) - 1 : 0);
  const nan = 1 << (mantissaBits - 1);
  const perUnit = 2 ** (bias - 1 + mantissaBits);
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
  const small = new ArrayType(bits.length);
  bits.forEach((value, i) => {
    const magnitude = value & 0x7fffffff;
    let rounded;
    if (magnitude > float32Infinity) {
      rounded = infinity | ((magnitude & 0x7fffff) >> drop || nan);
    } else if (magnitude < leastNormal) {
      // In units of the smallest subnormal, which is exact; a float64 of this size has no fraction, and rounds to even.
      rounded = Math.abs(floats[i]!) * perUnit + 2 ** 52 - 2 ** 52;
    } else {
      const halfOrLess = (1 << (drop - 1)) - 1 + ((magnitude >> drop) & 1);
      // A carry into the exponent is correct.
      rounded = Math.min(infinity, (magnitude - rebias + halfOrLess) >>> drop);
    }
    small[i] = rounded | ((value >>> 31) << (exponentBits + mantissaBits));
  });
  return small;
}

const biasOf = ({ exponentBits }: FloatLayout) => (1 << (exponentBits - 1)) - 1;
