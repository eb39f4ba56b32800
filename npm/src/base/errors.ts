/**
 * What kind of failure it is. Programs switch on it:
 * - `FORMAT`: the file breaks the rules of its format, or is none that is known
 * - `UNSUPPORTED`: right in itself, but this version or this machine cannot do it
 * - `IO`: the bytes could not be had: network, file system, the caller's stream
 * - `ABORTED`: the caller's AbortSignal fired; `cause` is the signal's reason
 * - `MEMORY`: an allocation failed
 * - `INPUT`: an argument is wrong
 * - `CLOSED`: the object was closed
 * - `INTERNAL`: a fault of the package or of the engine that runs it
 */
export type ErrorCode =
  | 'FORMAT'
  | 'UNSUPPORTED'
  | 'IO'
  | 'ABORTED'
  | 'MEMORY'
  | 'INPUT'
  | 'CLOSED'
  | 'INTERNAL';

/** The way in which it failed; more may be added. The first group is `enum Reason` of src/base/result.h. */
export type ErrorReason =
  | 'truncated' // the input ends before what it announces
  | 'bad_magic' // the first bytes are those of another kind of file
  | 'bad_version' // a version of the format that this reader does not know
  | 'checksum' // a stored checksum is not that of the bytes
  | 'limit' // a count, size or offset lies outside what the input can hold
  | 'malformed' // the bytes break a rule of the format
  | 'mismatch' // two parts of the input contradict each other
  | 'duplicate' // a name that must be unique occurs twice
  | 'invalid_utf8' // text that is not UTF-8
  | 'trailing' // bytes after the end of the format
  | 'missing' // a required part is absent
  | 'unknown_value' // a value, type or flag that this version does not support
  | 'out_of_range' // an argument is outside its domain
  | 'out_of_memory' // an allocation failed
  // The rest arises in JavaScript.
  | 'aborted' // the caller's AbortSignal fired
  | 'closed' // the object was closed
  | 'unsupported' // a feature that this engine, class or file does not have; the message says which there are
  | 'unknown_option' // an option that does not exist
  | 'wrong_type' // an argument of another type than documented
  | 'too_long' // a text of more than maxLength tokens with truncate: 'error'
  | 'tainted' // an image of another origin, whose pixels the page may not read
  | 'used' // a stream or body that was read before
  | 'network' // fetch failed
  | 'http_status' // the server answered with an error
  | 'html_instead_of_model' // the server answered with a web page
  | 'not_found' // no such file
  | 'not_a_file' // a directory
  | 'read_failed' // the file, stream or iterable failed while it was read
  | 'integrity' // the bytes are not those of the `integrity` option
  | 'damaged' // what the browser's cache keeps is not whole any more
  | 'wasm' // the WebAssembly module could not be had or is not ours
  | 'self_test' // the engine computes wrongly with every set of kernels
  | 'trap' // the WebAssembly module stopped in the middle of something
  | 'worker'; // the worker ended by itself

/** Where and in what it failed. */
export interface ErrorDetails {
  reason?: ErrorReason | undefined;
  format?: string | undefined;
  offset?: number | undefined;
  tensor?: string | undefined;
  cause?: unknown;
}

/** Every failure of this package: never a number, a trap or a bare string. */
export class QuintetError extends Error {
  override readonly name = 'QuintetError';
  readonly code: ErrorCode;
  readonly reason?: ErrorReason;
  /** Name of the file format, where one was read. */
  readonly format?: string;
  /** Byte of the input that is wrong. */
  readonly offset?: number;
  /** Name of the tensor concerned. */
  readonly tensor?: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    const { reason, format, offset, tensor } = details;
    if (reason !== undefined) this.reason = reason;
    if (format !== undefined) this.format = format;
    if (offset !== undefined) this.offset = offset;
    if (tensor !== undefined) this.tensor = tensor;
  }
}

/** An argument of the caller is wrong. */
export function inputError(reason: ErrorReason, message: string): QuintetError {
  return new QuintetError('INPUT', message, { reason });
}

export function unsupported(message: string): QuintetError {
  return new QuintetError('UNSUPPORTED', message, { reason: 'unsupported' });
}

export function ioError(reason: ErrorReason, message: string, cause?: unknown): QuintetError {
  return new QuintetError('IO', message, cause === undefined ? { reason } : { reason, cause });
}

export function memoryError(bytes: number): QuintetError {
  return new QuintetError('MEMORY', `cannot allocate ${bytes} bytes`, { reason: 'out_of_memory' });
}

export function closedError(): QuintetError {
  return new QuintetError('CLOSED', 'the object was closed', { reason: 'closed' });
}

/** What was thrown, for a message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
