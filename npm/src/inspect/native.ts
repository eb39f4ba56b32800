// The exports of the WebAssembly module that reads, checks and converts files (bindings/files).

import type {
  NativeCacheWriter,
  NativeHandle,
  NativeInstance,
  NativeKernels,
  NativeReader,
  Outcome,
} from '../engine/native.js';

/** `finish()` returns the description as JSON, the result of `inspect` and `validate`. */
export type NativeInspector = NativeReader<string>;

export interface NativeTensor {
  dtype: string;
  shape: number[];
  data: Float32Array;
}

/** A range of an input file. Files are numbered in the order of the first `beginFile` calls. */
export interface NativeRange {
  file: number;
  offset: number;
  bytes: number;
}

/**
 * Reads the files of a model in two phases. First every file in order, from `beginFile` to `endFile`: text files as a
 * whole, and with `seekable` only the parts of model files that `position()` asks for. After `plan()` the data, range
 * by range.
 */
interface NativeFileTaker extends NativeHandle {
  beginFile(name: string, totalBytes: number, seekable: boolean): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  position(): number;
  /** True: the same file must be fed again as a whole, not seekable, to verify its checksums. */
  endFile(): Outcome<boolean>;
  /** After the last file: decides how each tensor is converted. */
  plan(): Outcome<undefined>;
  /** The range to feed next, in pieces of any size; null when everything was fed. */
  nextRange(): NativeRange | null;
}

/** Converts one model. Output must be taken while input is fed. */
export interface NativeConverter extends NativeFileTaker {
  /**
   * Before `plan`: adds scale * B A to a matrix, whose name is that of PEFT, or of GGUF with this `architecture`.
   * `a`: transposed, [columns][rank]; `b`: [rows][rank].
   */
  merge(matrix: string, architecture: string, scale: number, a: Float32Array, b: Float32Array): Outcome<undefined>;
  /** After the last range: whether images are needed, to be given to `calibrate`. */
  wantsCalibration(): boolean;
  /** Width and height of the network's usual input. */
  inputSize(): number;
  /** Three normalised planes. */
  calibrate(values: Float32Array, height: number, width: number): Outcome<undefined>;
  /** The rest of the output becomes ready. */
  finish(): Outcome<undefined>;
  /** Output bytes that are ready, at most about a chunk; empty if there are none yet. */
  take(): Uint8Array;
  /** The tensor being written and the counts, as JSON {tensor, done, total}. */
  progress(): string;
}

/** Compares a converted model with its source. Ranges of the converted file have the file number -1. */
export interface NativeVerifier extends NativeFileTaker {
  /** After the input files: starts the description of the converted file, always seekable. */
  beginOutput(totalBytes: number): Outcome<undefined>;
  endOutput(): Outcome<undefined>;
  /** The tensors compared since the last call, as JSON [{tensor, maxError, cosine}]. */
  report(): Outcome<string>;
}

/** A KV cache file of any model, in memory. `finish()` returns KvCacheFacts (npm/src/cli/kv/kv_file.ts) as JSON. */
export interface NativeKvCacheFile extends NativeReader<string> {
  /** Writes it in another form, after `finish()`. `options`: as for `saveCache` of NativeSession. */
  write(options: string): Outcome<NativeCacheWriter>;
  /**
   * Compares another file with this one: JSON { rmse, snr_db, cosine_similarity, max_error, quality_level, violations
   * }; snr_db is null (infinite) for a tensor without any error.
   */
  compare(other: NativeKvCacheFile): Outcome<string>;
}

/** quintet-files.wasm */
export interface NativeFilesModule extends NativeInstance, NativeKernels {
  /** `format`: a ModelFormat, or '' to detect it; `total`: size of the input in bytes, or -1 if unknown. */
  Inspector: new (
    format: string,
    total: number,
    seekable: boolean,
    /** PlannedLoad as JSON. */
    options: string,
  ) => NativeInspector;
  Validator: new (format: string, total: number) => NativeInspector;
  TensorReader: new (format: string, total: number, name: string, seekable: boolean) => NativeReader<NativeTensor>;

  /** `options`: ConvertOptions without functions and images, as JSON. */
  Converter: new (
    options: string,
  ) => NativeConverter;
  /** `options`: those of the conversion. */
  Verifier: new (
    options: string,
  ) => NativeVerifier;

  /** `total`: size of the file in bytes. */
  KvCacheFile: new (
    total: number,
  ) => NativeKvCacheFile;

  /** Scales, crops and normalizes an image: [3, size, size]. `channels`: 1, 3 or 4. */
  prepareImage(
    pixels: Uint8Array,
    width: number,
    height: number,
    channels: number,
    size: number,
  ): Outcome<Float32Array>;
}
