// Values of any type as float32.

import { unsupported } from './errors.js';
import type { SafetensorsTensor } from './safetensors.js';

/**
 * The values as float32: exact for floats of at most 32 bits and integers up to 2^24, else rounded.
 * @throws QuintetError UNSUPPORTED for complex numbers and for floats of less than 8 bits
 */
export function toFloat32({ dtype, data }: SafetensorsTensor): Float32Array {
  switch (dtype) {
    case 'F16':
      return widen(data, { exponentBits: 5, mantissaBits: 10 });
    case 'BF16':
      return new Float32Array(Uint32Array.from(data, (bits) => bits << 16).buffer);
    case 'F8_E5M2':
      return widen(data, { exponentBits: 5, mantissaBits: 2 });
    case 'F8_E4M3':
      return widenE4M3(data);
    case 'F8_E8M0':
      return Float32Array.from(data, (exponent) => (exponent === 255 ? NaN : 2 ** (exponent - 127)));
    case 'I64':
    case 'U64':
      return Float32Array.from(data as ArrayLike<bigint>, Number);
    case 'C64':
    case 'F6_E2M3':
    case 'F6_E3M2':
    case 'F4':
      throw unsupported(`values of type ${dtype} are not read as float32`);
    default:
      return Float32Array.from(data);
  }
}

interface FloatLayout {
  exponentBits: number;
  mantissaBits: number;
}

/** Small IEEE 754 floats: moved into the place of a float32's bits, then multiplied to correct the exponent. */
function widen(data: Uint8Array | Uint16Array, { exponentBits, mantissaBits }: FloatLayout): Float32Array {
  const magnitudeMask = (1 << (exponentBits + mantissaBits)) - 1;
  const infinity = magnitudeMask ^ ((1 << mantissaBits) - 1);
  const scale = 2 ** (127 - ((1 << (exponentBits - 1)) - 1));
  const shift = 23 - mantissaBits;
  const bits = new Uint32Array(data.length);
  const floats = new Float32Array(bits.buffer);
  data.forEach((value: number, i: number) => {
    const magnitude = value & magnitudeMask;
    bits[i] = magnitude << shift;
    if (magnitude >= infinity) bits[i]! |= 0x7f800000;
    else floats[i]! *= scale;
    bits[i]! |= (value >> (exponentBits + mantissaBits)) << 31;
  });
  return floats;
}

/** It has no infinities: the largest exponent holds values, and its last is no number. */
function widenE4M3(data: Uint8Array): Float32Array {
  return Float32Array.from(data, (value) => {
    const exponent = (value >> 3) & 15;
    const mantissa = value & 7;
    if (exponent === 15 && mantissa === 7) return NaN;
    const magnitude = exponent === 0 ? mantissa * 2 ** -9 : (8 + mantissa) * 2 ** (exponent - 10);
    return value & 0x80 ? -magnitude : magnitude;
  });
}
