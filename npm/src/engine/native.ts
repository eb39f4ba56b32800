// What all wasm modules (bindings/) export; native.ts of a feature's folder has what its own does. Written by hand: a test
// checks it against the real modules.
// Sizes and offsets are JavaScript numbers (exact below 2^53). Every view of the wasm heap is for one use at
// once: the next call may grow the memory and detach it.

import { QuintetError, type ErrorCode, type ErrorReason } from '../base/errors.js';
import type { ModelInfo } from '../base/types.js';

/** How a C++ Result crosses into JavaScript. */
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

/** An object that lives in wasm memory until `delete()`. */
export interface NativeHandle {
  delete(): void;
}

/**
 * Something that reads a file chunk by chunk: fill `window(n)`, then `feed(n)`; after the last chunk `finish()`.
 * With `seekable` the next chunk must begin at `position()`, else chunks follow one another.
 */
export interface NativeIntake<T> extends NativeHandle {
  /** Null where there is no memory for it. */
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  position(): number;
  finish(): Outcome<T>;
}

/** The bytes of a KV cache file, made piece by piece. */
export interface NativeCacheWriter extends NativeHandle {
  /** Of the whole file. */
  bytes(): number;
  /** The next piece, at most a chunk; empty at the end. */
  take(): Outcome<Uint8Array>;
}

/** What every module has. */
export interface NativeInstance {
  heapBytes(): number;
  /** Live native objects, for leak tests. */
  liveObjects(): number;
}

/** What modules have that compute. */
export interface NativeKernels {
  /** Variants in this build, slowest first. */
  kernelVariants(): string[];
  activeKernels(): string;
  forceKernels(name: string): boolean;
  /** Name of the first kernel that answers wrongly, or ''. */
  selfTest(): string;
}

/** The one place where a native failure becomes a throw. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, reason, message, offset, format, tensor } = outcome;
  throw new QuintetError(code, message, { reason, offset, format, tensor });
}

/** The description of a model as native code gives it, in the shape of the public type. `bytes`: length of the file, for formats that do not say it. */
export function parseModelInfo<Info extends ModelInfo = ModelInfo>(json: string, bytes: number): Info {
  const { file_size: fileSize = bytes, tokenizer, ...rest } = JSON.parse(json);
  return { ...rest, fileSize, tokenizer: tokenizer.type === 'none' ? null : tokenizer };
}
