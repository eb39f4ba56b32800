/**
 * The kind of failure, for programs to switch on. The tables of docs/errors.md are generated from these comments and
 * those of the reasons (tools/generate_errors_page.mjs).
 */

export type ErrorCode =
  /**
   * The file is damaged or invalid, at byte `offset`, or its format is unknown to quintet.
   * What to do: download it again, or create it again.
   */
  | 'FORMAT'
  /**
   * Valid, but not supported by this version, this machine or this class.
   * What to do: use what the message names: a supported value, or the class or command that reads the file.
   */
  | 'UNSUPPORTED'
  /**
   * The bytes could not be read from the network, the file system or your stream.
   * What to do: try again, or see the reason.
   */
  | 'IO'
  /**
   * Your `AbortSignal` fired. The error's `name` is 'AbortError', as in the web's own functions; `cause` is the
   * signal's reason. What to do: nothing; the object is still usable.
   */
  | 'ABORTED'
  /**
   * There is not enough memory. The message states how many bytes could not be allocated.
   * What to do: close models you no longer need, load a smaller or quantized model, or use a shorter `contextLength` or
   * a smaller `kvCache`.
   */
  | 'MEMORY'
  /** An argument is invalid. What to do: pass what the message asks for. */
  | 'INPUT'
  /** The object was closed before or during the call. What to do: load the model again. */
  | 'CLOSED'
  /**
   * A bug in the package or in the browser or Node. Its reason may also be one listed with another code.
   * What to do: load the model again, and please report it.
   */
  | 'INTERNAL';

/** The exact cause of a failure; more may be added. The first group mirrors `enum Reason` of src/base/error.h. */
export type ErrorReason =
  /** With `FORMAT`: the file ends too early. What to do: download it again. */
  | 'truncated'
  /**
   * With `FORMAT`: the first bytes are those of another kind of file. The message states what it looks like: gzip data,
   * a zip archive, a Git LFS pointer, a web page, JSON, or an empty file; and in a folder, which file it is. What to
   * do: convert it, unpack it, or fetch the actual file.
   */
  | 'bad_magic'
  /**
   * With `UNSUPPORTED`, `FORMAT`: this version of the format is not supported.
   * What to do: update quintet, or create the file in a version that the message names.
   */
  | 'bad_version'
  /** With `FORMAT`, `INPUT`: a stored checksum does not match the bytes. What to do: download the file again. */
  | 'checksum'
  /**
   * With `FORMAT`, `INPUT`, `UNSUPPORTED`: a count, size or offset is larger than the file allows, or exceeds a limit.
   * What to do: create the file again, or stay within the limit that the message names.
   */
  | 'limit'
  /**
   * With `FORMAT`, `INPUT`: the bytes or the argument break a rule of their format. What to do: create the file again,
   * or pass what the message asks for.
   */
  | 'malformed'
  /**
   * With `FORMAT`, `INPUT`: two things that must agree do not: two parts of a file, two files of a model, or two
   * arguments.
   * What to do: change one of the two that the message names.
   */
  | 'mismatch'
  /** With `FORMAT`, `INPUT`: a name that must be unique occurs twice. What to do: use each name once. */
  | 'duplicate'
  /**
   * With `FORMAT`, `INPUT`: a text is not valid UTF-8.
   * What to do: create the file again, or encode the text as UTF-8.
   */
  | 'invalid_utf8'
  /**
   * With `FORMAT`: there are extra bytes after the end of the file's content.
   * What to do: download it again: something was appended to it.
   */
  | 'trailing'
  /**
   * With `FORMAT`, `INPUT`: a part of the file, a file of the folder or an argument is missing.
   * What to do: add what the message names.
   */
  | 'missing'
  /**
   * With `UNSUPPORTED`, `FORMAT`, `INPUT`: this version does not support a value, type or flag.
   * What to do: use one that the message names, convert the model, or update quintet.
   */
  | 'unknown_value'
  /**
   * With `UNSUPPORTED`: this engine or class cannot do it: no SIMD, a global that is missing, no shared memory for
   * `threads`, a file or option that belongs to another class. What to do: use what the message names instead.
   */
  | 'unsupported'
  /**
   * With `INPUT`, `FORMAT`, `UNSUPPORTED`: a value is out of range.
   * What to do: use a value in the range that the message names.
   */
  | 'out_of_range'
  /**
   * With `MEMORY`: an allocation failed, or there is less memory than the model needs.
   * What to do: close models you no longer need, load a smaller or quantized model, or use a shorter `contextLength` or
   * a smaller `kvCache`.
   */
  | 'out_of_memory'
  // The following occur only in JavaScript.
  /** With `ABORTED`: your `AbortSignal` fired. What to do: nothing, or call again with another signal. */
  | 'aborted'
  /** With `CLOSED`: the object was closed. What to do: load the model again. */
  | 'closed'
  /** With `INPUT`: there is no option with that name. What to do: check its spelling. */
  | 'unknown_option'
  /** With `INPUT`: an argument has the wrong type. What to do: pass one of the type that the message names. */
  | 'wrong_type'
  /**
   * With `INPUT`: a text has more tokens than `maxLength`, with `truncate: 'error'`.
   * What to do: shorten or split it, or choose another `truncate`.
   */
  | 'too_long'
  /**
   * With `INPUT`: an image comes from another origin, so the page may not read its pixels. What to do: load it with
   * `crossOrigin`.
   */
  | 'tainted'
  /**
   * With `INPUT`: a stream, body or generation was already read, or a buffer was transferred.
   * What to do: create a new one for every call.
   */
  | 'used'
  /**
   * With `IO`: no response: no server, no network, a redirect loop, or another origin that does not allow the request
   * (CORS). Or a script of the package could not be loaded.
   * What to do: try again. A server of another origin must send `Access-Control-Allow-Origin`. For a script, see the
   * section Browsers of docs/errors.md.
   */
  | 'network'
  /** With `IO`: the server answered with an error, such as 404. What to do: check the URL in the message. */
  | 'http_status'
  /**
   * With `IO`: the repository of the Hugging Face Hub is private, gated or missing; the Hub answers the same for all
   * three. What to do: check the name; ask for access on its page; log in, or pass a token. See docs/hub.md.
   */
  | 'no_access'
  /**
   * With `IO`: the file is not in the cache, and offline mode is on. What to do: load the model once without `offline`
   * and HF_HUB_OFFLINE, or run `quintet pull`.
   */
  | 'offline'
  /**
   * With `IO`: the server sent a web page instead of the model, as servers of single-page applications do for unknown
   * paths.
   * What to do: check the URL, and put the file where the server finds it.
   */
  | 'html_instead_of_model'
  /**
   * With `IO`: there is no such file, or no such revision of a repository.
   * What to do: check the path or name in the message.
   */
  | 'not_found'
  /** With `IO`: the path is a directory. What to do: name a file in it, or do what the message suggests. */
  | 'not_a_file'
  /** With `IO`: the download broke off, or reading the file, stream or iterable failed. What to do: try again. */
  | 'read_failed'
  /**
   * With `IO`: the file does not match the `integrity` option, or the size and SHA-256 that the Hugging Face Hub lists.
   * What to do: check both: the file is damaged, or it is another file.
   */
  | 'integrity'
  /**
   * With `IO`: the copy of the file in the browser's cache is damaged.
   * What to do: load it again, which downloads it again.
   */
  | 'damaged'
  /**
   * With `IO`: the WebAssembly file could not be compiled, or belongs to another version. The message states what was
   * received: a web page, gzip data, an empty file, an old copy.
   * What to do: deploy all files of `dist/` together and clear the caches. A content security policy needs
   * `script-src 'wasm-unsafe-eval'`.
   */
  | 'wasm'
  /**
   * With `INTERNAL`: the engine computes wrong results with every set of kernels.
   * What to do: update the browser or Node, and please report it.
   */
  | 'self_test'
  /**
   * With `INTERNAL`: the WebAssembly module crashed.
   * What to do: load the model again, and please report it.
   */
  | 'trap'
  /**
   * With `INTERNAL`: the worker failed or was terminated. What to do: load the model again, which starts a new worker.
   */
  | 'worker';

/** Details of a failure; see the properties of `QuintetError`. */
export interface ErrorDetails {
  reason?: ErrorReason | undefined;
  format?: string | undefined;
  offset?: number | undefined;
  tensor?: string | undefined;
  cause?: unknown;
}

/** The error of every failure of this package. */
export class QuintetError extends Error {
  /** 'AbortError' if a signal fired: code for the web recognizes aborts by this name. */
  override readonly name: 'QuintetError' | 'AbortError';
  /** The kind of failure. */
  readonly code: ErrorCode;
  /** The exact cause. */
  declare readonly reason?: ErrorReason;
  /** Name of the file format, if a file was being read. */
  declare readonly format?: string;
  /** Byte offset in the input at which the error was found. */
  declare readonly offset?: number;
  /** Name of the tensor concerned. */
  declare readonly tensor?: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.name = code === 'ABORTED' ? 'AbortError' : 'QuintetError';
    this.code = code;
    for (const name of ['reason', 'format', 'offset', 'tensor'] as const) {
      if (details[name] !== undefined) Object.assign(this, { [name]: details[name] });
    }
  }

  /**
   * True for errors of another copy of this module, too: there may be two in a worker (platform/browser/own_thread.ts).
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.constructor.name === 'QuintetError';
  }
}

// A minifier has given the class another name.
Object.defineProperty(QuintetError, 'name', { value: 'QuintetError' });

/** An error for an invalid argument. */
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

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Globals that all parts of the package use. */
const common = ['TextEncoder', 'TextDecoder'];

/** Throws if this environment lacks what all of the package uses, or one of these globals. */
export function requireGlobals(...names: readonly string[]): void {
  for (const name of [...common, ...names])
    if ((globalThis as Record<string, unknown>)[name] === undefined) throw lacking(name);
}

/**
 * The error for a missing global, if one was thrown: in Chrome, Node and Firefox, and in Safari. The fetch of Node
 * throws it as the cause of another error.
 */
export function missingGlobal(error: unknown): QuintetError | undefined {
  const [, chrome, safari = chrome] =
    /^(\S+) is not defined$|^Can't find variable: (\S+)$/.exec(messageOf(error)) ?? [];
  const { cause } = Object(error) as { cause?: unknown };
  return safari ? lacking(safari) : cause ? missingGlobal(cause) : undefined;
}

/** The error for a part of the engine's standard library, or of its WebAssembly, that is missing. */
export const lacking = (name: string): QuintetError =>
  unsupported(`this engine has no ${name}, which quintet requires`);
