// The exports that all WebAssembly modules (bindings/) have; native.ts of each feature has those of its module.
// Written by hand: a test compares it with the real modules. Sizes and offsets are JavaScript numbers (exact below
// 2^53). Views of the WebAssembly heap must be used at once: the next call may grow the memory and detach them.

import { type ErrorCode, type ErrorReason, QuintetError } from '../base/errors.js';
import type { ModelInfo } from '../base/types.js';

/** A C++ Result in JavaScript. */
export type Outcome<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      code: ErrorCode;
      reason: ErrorReason;
      message: string;
      offset?: number;
      format?: string;
      tensor?: string;
    };

/** An object that lives in WebAssembly memory until `delete()`. */
export interface NativeHandle {
  delete(): void;
}

/**
 * Reads a file chunk by chunk: fill `window(n)`, then call `feed(n)`; after the last chunk, `finish()`. With `seekable`
 * each chunk must start at `position()`, else chunks are consecutive.
 */
export interface NativeReader<T> extends NativeHandle {
  /** Null if out of memory. */
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  position(): number;
  finish(): Outcome<T>;
}

/**
 * Loads a model from one file or from the files of a folder, those that describe it before those with tensors. For each
 * file: `beginFile`, any number of `feed`s, `endFile`.
 */
export interface NativeFileLoader<T> extends NativeHandle {
  /** `path`: inside the model's folder. `totalBytes`: -1 if unknown. */
  beginFile(path: string, totalBytes: number): Outcome<undefined>;
  /** Null if out of memory. */
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  endFile(): Outcome<undefined>;
  finish(): Outcome<T>;
}

/** One whose files with tensors may overlap. */
export interface NativeOverlappingLoader<T> extends NativeFileLoader<T> {
  /** The file of the next `feed` or `endFile`, numbered in the order of `beginFile`. Default: the last one. */
  chooseFile(number: number): void;
  /** Number of files with tensors whose headers were read. The next may begin when the header of the last one was. */
  headersRead(): number;
}

/**
 * A model of pictures. Each `begin…` starts a pass and discards the previous one; then `step()` until it returns true,
 * then `take()`. Sizes that are not integers or too large are INPUT.
 */
export interface NativePictureModel extends NativeHandle {
  /** The model's description as JSON. */
  info(): string;
  /** The settings of the model, as JSON. */
  usage(): string;

  /** Buffer for the samples of one picture, null if out of memory. Fill it, then call `beginPicture` or `prepare`. */
  pixelWindow(bytes: number): Uint8Array | null;
  /** The picture in the buffer, exactly [height][width][channels], as the network expects it. `channels`: 1, 3 or 4. */
  prepare(width: number, height: number, channels: number): Outcome<NativePrepared>;
  /** Buffer for a preprocessed input of this many values, null if out of memory. Fill it, then call `beginInput`. */
  inputWindow(values: number): Float32Array | null;
  /** The buffer holds exactly [channels][height][width]. It is released afterwards. */
  beginInput(channels: number, height: number, width: number): Outcome<undefined>;

  /** Computes for a few milliseconds; true when the pass is complete. */
  step(): Outcome<boolean>;
  /** The result of the completed pass; empty without one. Ends the pass. */
  take(): Float32Array;
  /** Discards the pass. */
  cancel(): void;
}

/** [3][height][width] */
export interface NativePrepared {
  data: Float32Array;
  height: number;
  width: number;
}

/** Writes a KV cache file piece by piece. */
export interface NativeCacheWriter extends NativeHandle {
  /** Size of the whole file. */
  bytes(): number;
  /** The next piece, at most a chunk; empty at the end. */
  take(): Outcome<Uint8Array>;
}

/** Exports of every module. */
export interface NativeInstance {
  heapBytes(): number;
  /** Number of live native objects, for leak tests. */
  liveObjects(): number;
}

/** Exports of modules with kernels. */
export interface NativeKernels {
  /** Variants in this build, slowest first. */
  kernelVariants(): string[];
  activeKernels(): string;
  forceKernels(name: string): boolean;
  /** Name of the first kernel that computes wrong results, or ''. */
  selfTest(): string;
}

/** Returns the value of an outcome, or throws its failure as a QuintetError. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, reason, message, offset, format, tensor } = outcome;
  throw new QuintetError(code, message, { reason, offset, format, tensor });
}

/**
 * Converts the description of a model from native code to the public type. `bytes`: size of the file, for formats that
 * do not contain it.
 */
export function parseModelInfo<Info extends ModelInfo = ModelInfo>(json: string, bytes: number): Info {
  const { file_size: fileSize = bytes, tokenizer, ...rest } = JSON.parse(json);
  return { ...rest, fileSize, tokenizer: tokenizer.type === 'none' ? null : tokenizer };
}
