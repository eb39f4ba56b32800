// What the wasm module that reads, checks and converts files exports (bindings/files).

import type { NativeCacheWriter, NativeHandle, NativeInstance, NativeIntake, NativeKernels, Outcome } from '../engine/native.js';

/** `finish()` gives the description as JSON: what `inspect` and `validate` answer. */
export type NativeInspector = NativeIntake<string>;

export interface NativeTensor {
  dtype: string;
  shape: number[];
  data: Float32Array;
}

/** Bytes of an input file, which is named by its place in the order of the first `beginFile` calls. */
export interface NativeRange {
  file: number;
  offset: number;
  bytes: number;
}

/**
 * Takes the files of one model in two phases. First every file in order, from `beginFile` to `endFile`: text files as
 * a whole, and of model files with `seekable` what `position()` asks for. After `plan()` the data, range by range.
 */
interface NativeFileTaker extends NativeHandle {
  beginFile(name: string, totalBytes: number, seekable: boolean): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  position(): number;
  /** True: the same file follows once more, not seekable and whole, so that its checksums can be verified. */
  endFile(): Outcome<boolean>;
  /** After the last file: what becomes of each tensor is settled. */
  plan(): Outcome<undefined>;
  /** What is to be fed next, in pieces of any size; null where all was fed. */
  nextRange(): NativeRange | null;
}

/** Converts one model; output is drained while input is fed. */
export interface NativeConverter extends NativeFileTaker {
  /** After the last range: whether images are needed, to be given to `calibrate`. */
  wantsCalibration(): boolean;
  /** Width and height of the network's usual input. */
  inputSize(): number;
  /** Three normalised planes. */
  calibrate(values: Float32Array, height: number, width: number): Outcome<undefined>;
  /** The rest of the output becomes ready. */
  finish(): Outcome<undefined>;
  /** Output bytes that are ready, at most about a chunk; empty where there are none yet. */
  take(): Uint8Array;
  /** The tensor being written and the counts, as JSON {tensor, done, total}. */
  progress(): string;
}

/** Compares a converted model with the one it was made from. The output, as a range, has the number -1. */
export interface NativeVerifier extends NativeFileTaker {
  /** After the input files: the output's description, always seekable. */
  beginOutput(totalBytes: number): Outcome<undefined>;
  endOutput(): Outcome<undefined>;
  /** The tensors compared since the last call, as JSON [{tensor, maxError, cosine}]. */
  report(): Outcome<string>;
}

/** A KV cache file in memory, of any model. `finish()` tells what it is: JSON of KvCacheFacts (npm/src/cli/kv/kv_file.ts). */
export interface NativeKvCacheFile extends NativeIntake<string> {
  /** In another form, after `finish()`. `options`: JSON of `saveCache` of NativeSession. */
  write(options: string): Outcome<NativeCacheWriter>;
  /**
   * How near the other is to this one: JSON { rmse, snr_db, cosine_similarity, max_error, quality_level, violations };
   * snr_db null: infinite, for a tensor without any error.
   */
  compare(other: NativeKvCacheFile): Outcome<string>;
}

/** quintet-files.wasm */
export interface NativeFilesModule extends NativeInstance, NativeKernels {
  /** `format`: a name of ModelFormat or ''; `total`: bytes of the input, or -1 where unknown. */
  Inspector: new (format: string, total: number, seekable: boolean) => NativeInspector;
  Validator: new (format: string, total: number) => NativeInspector;
  TensorReader: new (format: string, total: number, name: string, seekable: boolean) => NativeIntake<NativeTensor>;

  /** `options` is JSON of ConvertOptions without functions and images. */
  Converter: new (options: string) => NativeConverter;
  /** With the options of the conversion. */
  Verifier: new (options: string) => NativeVerifier;

  /** `total`: length of the file. */
  KvCacheFile: new (total: number) => NativeKvCacheFile;

  /** Scales and cuts an image to `size` x `size` and normalises it: three planes. `channels`: 1, 3 or 4. */
  prepareImage(
    pixels: Uint8Array,
    width: number,
    height: number,
    channels: number,
    size: number,
  ): Outcome<Float32Array>;
}
