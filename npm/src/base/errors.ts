/**
 * What kind of failure it is. Programs switch on it. These comments and those of the reasons are also the tables of docs/errors.md
 * (tools/generate_errors_page.mjs).
 */
export type ErrorCode =
  /**
   * The file breaks a rule of its format, at `offset`, or is of no format that quintet knows.
   * What to do: download it again, or make it again with what wrote it.
   */
  | 'FORMAT'
  /**
   * Right in itself, but this version, this machine or this class cannot do it.
   * What to do: use what the message names: what is supported, or the class or command that takes the file.
   */
  | 'UNSUPPORTED'
  /**
   * The bytes could not be had: from the network, the file system or your own stream.
   * What to do: try again, or see the reason.
   */
  | 'IO'
  /** Your `AbortSignal` fired; `cause` is its reason. What to do: nothing: the object can be used as before. */
  | 'ABORTED'
  /**
   * An allocation failed; the message says how many bytes.
   * What to do: close what is not needed, load a smaller or quantized model, a shorter `contextLength` or a smaller `kvCache`.
   */
  | 'MEMORY'
  /** An argument is wrong. What to do: give what the message says was expected. */
  | 'INPUT'
  /** The object was closed, perhaps in the middle of the call. What to do: load the model again. */
  | 'CLOSED'
  /**
   * A fault of the package or of the engine that runs it. The reason may also be one of another code.
   * What to do: load the model again, and please report it.
   */
  | 'INTERNAL';

/** The way in which it failed; more may be added. The first group is `enum Reason` of src/base/result.h. */
export type ErrorReason =
  /** With `FORMAT`: the input ends before what it announces. What to do: download it again. */
  | 'truncated'
  /**
   * With `FORMAT`: the first bytes are those of another kind of file. The message names what it looks like: gzip data, a zip
   * archive, a pointer of Git LFS, JSON.
   * What to do: convert it, unpack it, or fetch the file itself.
   */
  | 'bad_magic'
  /**
   * With `UNSUPPORTED`, `FORMAT`: the version of the format is one that this reader does not know.
   * What to do: update quintet, or make the file again in a version that the message names.
   */
  | 'bad_version'
  /** With `FORMAT`, `INPUT`: a stored checksum is not that of the bytes. What to do: download it again. */
  | 'checksum'
  /**
   * With `FORMAT`, `INPUT`, `UNSUPPORTED`: a count, size or offset is beyond what the input can hold, or beyond a limit.
   * What to do: for a file, make it again with what wrote it; else keep to the limit that the message names.
   */
  | 'limit'
  /**
   * With `FORMAT`, `INPUT`: the bytes, or the argument, break a rule of their format.
   * What to do: make the file again with what wrote it, or give what the message asks for.
   */
  | 'malformed'
  /**
   * With `FORMAT`, `INPUT`: two things that must agree do not: two parts of a file, two files of a model, or two arguments.
   * What to do: change one of the two that the message names.
   */
  | 'mismatch'
  /** With `FORMAT`, `INPUT`: a name that must be unique occurs twice. What to do: give each name once. */
  | 'duplicate'
  /**
   * With `FORMAT`, `INPUT`: a text is not UTF-8.
   * What to do: make the file again with what wrote it, or encode the text as UTF-8.
   */
  | 'invalid_utf8'
  /**
   * With `FORMAT`: there are bytes after the end of the format.
   * What to do: download it again, and alone: something was appended to it.
   */
  | 'trailing'
  /**
   * With `FORMAT`, `INPUT`: a part of the file, a file of the folder or an argument is not there.
   * What to do: add what the message names.
   */
  | 'missing'
  /**
   * With `UNSUPPORTED`, `FORMAT`, `INPUT`: a value, type or flag is one that this version does not know.
   * What to do: use one of those that the message names; convert the model, or update quintet.
   */
  | 'unknown_value'
  /**
   * With `INPUT`, `FORMAT`, `UNSUPPORTED`: a value lies outside its range.
   * What to do: give one within what the message names.
   */
  | 'out_of_range'
  /**
   * With `MEMORY`: an allocation failed, or there is less memory than the model needs.
   * What to do: close what is not needed, or load a smaller or quantized model, with a shorter `contextLength` or a smaller
   * `kvCache`.
   */
  | 'out_of_memory'
  // The rest arises in JavaScript.
  /** With `ABORTED`: your `AbortSignal` fired. What to do: nothing, or call again with another signal. */
  | 'aborted'
  /** With `CLOSED`: the object was closed. What to do: load the model again. */
  | 'closed'
  /**
   * With `UNSUPPORTED`: this engine, class or file does not have the feature: no SIMD, no shared memory for `threads`, an option
   * of another class.
   * What to do: use what the message names instead.
   */
  | 'unsupported'
  /** With `INPUT`: there is no option of that name. What to do: check its spelling. */
  | 'unknown_option'
  /** With `INPUT`: an argument is of another type than documented. What to do: give one of the type that the message names. */
  | 'wrong_type'
  /**
   * With `INPUT`: a text has more tokens than `maxLength`, with `truncate: 'error'`.
   * What to do: shorten or split it, or choose another `truncate`.
   */
  | 'too_long'
  /** With `INPUT`: a picture is of another origin, whose pixels the page may not read. What to do: load it with `crossOrigin`. */
  | 'tainted'
  /**
   * With `INPUT`: a stream, body or generation was already read, or a buffer was transferred.
   * What to do: open or make it anew for every call.
   */
  | 'used'
  /**
   * With `IO`: no answer: no server, no network, an endless redirect, or another origin that does not allow it (CORS). Or a
   * script of the package did not come.
   * What to do: try again. Another origin's server must send `Access-Control-Allow-Origin`. For a script, see the section
   * Browsers of docs/errors.md.
   */
  | 'network'
  /** With `IO`: the server answered with an error, such as 404. What to do: check the URL in the message. */
  | 'http_status'
  /**
   * With `IO`: the server sent a web page in place of the model, as those of single-page applications do for every path.
   * What to do: put the file where the server finds it.
   */
  | 'html_instead_of_model'
  /** With `IO`: there is no such file. What to do: check the path in the message. */
  | 'not_found'
  /** With `IO`: the path is that of a directory. What to do: name a file in it, or do what the message says. */
  | 'not_a_file'
  /** With `IO`: the download broke off, or the file, stream or iterable failed while it was read. What to do: try again. */
  | 'read_failed'
  /**
   * With `IO`: the bytes are not those of the `integrity` option.
   * What to do: check the file and the option: the file is damaged, or another one.
   */
  | 'integrity'
  /**
   * With `IO`: what the browser's cache keeps of the file is not whole any more.
   * What to do: load it again: it is downloaded anew.
   */
  | 'damaged'
  /**
   * With `IO`: the WebAssembly file could not be compiled or is not that of this version. The message says what came: a web page,
   * gzip data, an empty file, an old copy.
   * What to do: deploy all files of `dist/` together, after emptying the caches. A policy needs `script-src 'wasm-unsafe-eval'`.
   */
  | 'wasm'
  /**
   * With `INTERNAL`: the engine computes wrongly with every set of kernels.
   * What to do: update the browser or Node, and please report it.
   */
  | 'self_test'
  /**
   * With `INTERNAL`: the WebAssembly module stopped in the middle of something.
   * What to do: load the model again, and please report it.
   */
  | 'trap'
  /** With `INTERNAL`: the worker was ended, or failed. What to do: load the model again: that starts a new worker. */
  | 'worker';

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
