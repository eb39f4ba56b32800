// The types of quintet/safetensors.
/// <reference lib="esnext.disposable" preserve="true" />

import type { ModelSource } from '../base/types.js';

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

/** Floats smaller than float32, of which float32 holds every value. */
export type SmallFloat = 'F16' | 'BF16' | 'F8_E4M3' | 'F8_E5M2' | 'F8_E8M0';

/** How small floats are given: as they are stored, or as float32. */
export type SafetensorsFloats = 'bits' | 'float32';

export type SafetensorsArray<D extends SafetensorsDtype, F extends SafetensorsFloats = 'bits'> = F extends 'float32'
  ? D extends SmallFloat ? Float32Array : SafetensorsArrays[D]
  : SafetensorsArrays[D];

/** A tensor; `dtype` tells the type of `data`. */
export type SafetensorsTensor<F extends SafetensorsFloats = 'bits'> = {
  [D in SafetensorsDtype]: { dtype: D; shape: number[]; data: SafetensorsArray<D, F> };
}[SafetensorsDtype];

export interface SafetensorsContent<F extends SafetensorsFloats = 'bits'> {
  /** In the order of the file's data. */
  tensors: Map<string, SafetensorsTensor<F>>;
  metadata: Record<string, string>;
}

export interface ReadSafetensorsOptions<F extends SafetensorsFloats = 'bits'> {
  /** Small floats as their bits, the default, or as float32, which is exact. Other types stay what they are. */
  floats?: F;
  signal?: AbortSignal;
}

export interface OpenSafetensorsOptions {
  /** Ends the opening and all later reading. */
  signal?: AbortSignal;
}

/** A file of which the header is read. */
export interface SafetensorsFile {
  readonly metadata: Record<string, string>;
  /** In the order of the file's data. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Ends reads that go on, with CLOSED, and lets go of the file. */
  close(): Promise<void>;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** A tensor whose values are still in the file. */
export interface StoredTensor {
  readonly dtype: SafetensorsDtype;
  readonly shape: readonly number[];
  /** Size of its data in the file. */
  readonly bytes: number;
  /**
   * Its values, or those of a range, which come with the shape [to - from].
   * @throws QuintetError INPUT, CLOSED, IO, ABORTED, MEMORY
   */
  read<F extends SafetensorsFloats = 'bits'>(options?: ReadTensorOptions<F>): Promise<SafetensorsTensor<F>>;
}

export interface ReadTensorOptions<F extends SafetensorsFloats = 'bits'> {
  /** As of `readSafetensors`. */
  floats?: F;
  /** First value, counted in row-major order. Default 0. */
  from?: number;
  /** One past the last value. Default: all. */
  to?: number;
}

/**
 * A tensor to be written: `data` holds its bytes, in an array of any type; a Float32Array for F16, BF16, F8_E4M3 or F8_E5M2
 * holds values, which are rounded.
 */
export interface WritableTensor {
  dtype: SafetensorsDtype;
  shape: readonly number[];
  data: ArrayBufferView;
}

/** `data` may be a function, called when its turn comes: it gives an array as above, or where the bytes are to be read. */
export interface StreamedTensor {
  dtype: SafetensorsDtype;
  shape: readonly number[];
  data: ArrayBufferView | (() => ArrayBufferView | ModelSource | Promise<ArrayBufferView | ModelSource>);
}

/** Tensors under their names. Only a Map or pairs can hold every name: an object has none called '__proto__'. */
export type NamedTensors<T> = Iterable<readonly [name: string, tensor: T]> | Readonly<Record<string, T>>;

/** Also with their metadata, as `readSafetensors` gives them. */
export type WritableContent<T> =
  | NamedTensors<T>
  | { readonly tensors: NamedTensors<T>; readonly metadata?: Readonly<Record<string, string>> };
