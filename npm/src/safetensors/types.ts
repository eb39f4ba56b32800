// The types of quintet/safetensors.
/// <reference lib="esnext.disposable" preserve="true" />

import type { ModelSource } from '../base/types.js';

/** The array for each type. Floats without a JavaScript array type are stored as bits. */
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
  /** Packed as in the file. */
  F6_E2M3: Uint8Array;
  F6_E3M2: Uint8Array;
  F4: Uint8Array;
}

export type SafetensorsDtype = keyof SafetensorsArrays;

/** Float types smaller than float32, which can represent all of their values. */
export type SmallFloat = 'F16' | 'BF16' | 'F8_E4M3' | 'F8_E5M2' | 'F8_E8M0';

/** The form in which small floats are returned: their bits, or float32. */
export type SafetensorsFloats = 'bits' | 'float32';

/** The array type of a dtype with these `floats`. */
export type SafetensorsArray<D extends SafetensorsDtype, F extends SafetensorsFloats = 'bits'> = F extends 'float32'
  ? D extends SmallFloat
    ? Float32Array
    : SafetensorsArrays[D]
  : SafetensorsArrays[D];

/** A tensor. `dtype` determines the type of `data`, whose values are row-major. */
export type SafetensorsTensor<F extends SafetensorsFloats = 'bits'> = {
  [D in SafetensorsDtype]: { dtype: D; shape: number[]; data: SafetensorsArray<D, F> };
}[SafetensorsDtype];

/** Result of `readSafetensors`. */
export interface SafetensorsContent<F extends SafetensorsFloats = 'bits'> {
  /** The tensors by name, in the order of their data in the file. */
  tensors: Map<string, SafetensorsTensor<F>>;
  metadata: Record<string, string>;
}

/** Options of `readSafetensors`. */
export interface ReadSafetensorsOptions<F extends SafetensorsFloats = 'bits'> {
  /** Return small floats as bits (default) or as float32, which is exact. Other types are not affected. */
  floats?: F;
  signal?: AbortSignal;
}

/** Options of `openSafetensors`. */
export interface OpenSafetensorsOptions {
  /** Aborts opening the file and all later reads. */
  signal?: AbortSignal;
}

/** An open file whose header has been read. */
export interface SafetensorsFile {
  readonly metadata: Record<string, string>;
  /** The tensors by name, in the order of their data in the file. */
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** Closes the file. Pending reads fail with CLOSED. */
  close(): Promise<void>;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** A tensor of an open file, to be read on request. */
export interface StoredTensor {
  readonly dtype: SafetensorsDtype;
  readonly shape: readonly number[];
  /** Size of its data in the file in bytes. */
  readonly bytes: number;
  /**
   * Reads the values, or a range of them, which then has the shape [to - from].
   * @throws QuintetError INPUT, CLOSED, IO, ABORTED, MEMORY
   */
  read<F extends SafetensorsFloats = 'bits'>(options?: ReadTensorOptions<F>): Promise<SafetensorsTensor<F>>;
}

/** Options of `StoredTensor.read`. */
export interface ReadTensorOptions<F extends SafetensorsFloats = 'bits'> {
  /** As in `readSafetensors`. */
  floats?: F;
  /** Index of the first value in row-major order. Default 0. */
  from?: number;
  /** Index after the last value. Default: the end. */
  to?: number;
}

/**
 * A tensor to write. `data` contains its bytes, in an array of any type. For F16, BF16, F8_E4M3 and F8_E5M2, a
 * Float32Array contains values instead, which are rounded.
 */
export interface WritableTensor {
  dtype: SafetensorsDtype;
  shape: readonly number[];
  data: ArrayBufferView;
}

/**
 * A tensor to write as a stream. `data` may be a function, called when it is needed, that returns an array or a source
 * of bytes.
 */
export interface StreamedTensor {
  dtype: SafetensorsDtype;
  shape: readonly number[];
  data: ArrayBufferView | (() => ArrayBufferView | ModelSource | Promise<ArrayBufferView | ModelSource>);
}

/** Tensors by name. A Map or pairs allow every name; an object cannot have a tensor called '__proto__'. */
export type NamedTensors<T> = Iterable<readonly [name: string, tensor: T]> | Readonly<Record<string, T>>;

/** Tensors, or tensors and metadata as `readSafetensors` returns them. */
export type WritableContent<T> =
  | NamedTensors<T>
  | { readonly tensors: NamedTensors<T>; readonly metadata?: Readonly<Record<string, string>> };
