// The messages between a page and its worker. Each worker has one host.

import { type ErrorCode, type ErrorDetails, messageOf, QuintetError } from '../base/errors.js';
import type { HubFile } from '../sources/hub/types.js';
import type { CacheEntry } from '../sources/types.js';
import type { ReadingState } from './items.js';

/** A source that can be sent to a worker. Others are pulled from the page piece by piece. */
export type PortableSource =
  | { kind: 'location'; href: string; entry: CacheEntry | undefined; hub: HubFile | undefined }
  | { kind: 'blob'; blob: Blob }
  | { kind: 'pulled'; size: number | undefined; inAnyOrder: boolean };

export interface PortableFile {
  name: string;
  source: PortableSource;
}

export interface CallRequest {
  method: string;
  args: readonly unknown[];
  files: readonly PortableFile[];
  /** Whether the caller wants events. */
  events: boolean;
  /** Maximum number of unread items, if the caller wants items. */
  ahead?: number;
}

/** Every call is answered by `result` or `error` with the same number. */
export type ToWorker =
  /** Calls a method of the host, or `load`, which starts it. */
  | ({ kind: 'call'; call: number } & CallRequest)
  | { kind: 'abort'; call: number }
  /** A callback or source of the caller has thrown: the call ends, and its questions are rejected. */
  | { kind: 'failed'; call: number }
  /** Answers `question`. */
  | { kind: 'answer'; call: number; value: unknown }
  /** The reader's state of the items of a call. */
  | { kind: 'read'; call: number; state: ReadingState }
  /** Answers `pull`; null at the end. */
  | { kind: 'piece'; call: number; file: number; bytes: Uint8Array | null };

export type FromWorker =
  /** `lock`: held as long as the worker lives. */
  | { kind: 'ready'; lock?: string | undefined }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'error'; call: number; error: PlainError }
  | { kind: 'event'; call: number; value: unknown }
  /** A `load` asks for compute threads, with their tasks. */
  | { kind: 'question'; call: number; value: unknown }
  | { kind: 'items'; call: number; values: readonly unknown[] }
  /**
   * The call waits for its items to be read. `heard` is the number of `read` messages that it has received: more may be
   * on their way.
   */
  | { kind: 'waiting'; call: number; heard: number }
  /** Asks for bytes of a file: the next ones, or a range. */
  | { kind: 'pull'; call: number; file: number; range?: Range };

export interface Range {
  position: number;
  length: number;
}

/** A QuintetError in a form that can be sent between threads. */
export interface PlainError {
  code: ErrorCode;
  message: string;
  details: Omit<ErrorDetails, 'cause'>;
  cause?: string;
}

export function toPlain(error: unknown): PlainError {
  if (!(error instanceof QuintetError)) return { code: 'INTERNAL', message: messageOf(error), details: {} };
  const { code, message, reason, format, offset, tensor, cause } = error;
  const plain = { code, message, details: { reason, format, offset, tensor } };
  return cause === undefined ? plain : { ...plain, cause: messageOf(cause) };
}

export function fromPlain({ code, message, details, cause }: PlainError): QuintetError {
  return new QuintetError(code, message, cause === undefined ? details : { ...details, cause: new Error(cause) });
}

/** The buffers that can be transferred instead of copied: those of a view, and of the values of an object. */
export const bufferOf = (value: unknown): Transferable[] =>
  ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [];

export const buffersOf = (value: unknown): Transferable[] =>
  ArrayBuffer.isView(value) ? bufferOf(value) : Object.values(value ?? {}).flatMap(bufferOf);
