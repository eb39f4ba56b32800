// What a page and its worker say to each other. One worker has one host.

import { messageOf, QuintetError, type ErrorCode, type ErrorDetails } from '../base/errors.js';
import type { CacheEntry } from '../model_cache/stored_source.js';
import type { ReadingState } from './items.js';

/** A source that can cross: what cannot is pulled piece by piece. */
export type PortableSource =
  | { kind: 'location'; href: string; entry?: CacheEntry | undefined }
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
  /** Whether the caller hears of events. */
  events: boolean;
  /** Most items that may be unread, where the caller takes items. */
  ahead?: number;
}

/** Calls are answered by `result` or `error` with the same number. */
export type ToWorker =
  /** A method of the host, or `load`, which starts it. */
  | ({ kind: 'call'; call: number } & CallRequest)
  | { kind: 'abort'; call: number }
  /** Answers `question`. */
  | { kind: 'answer'; call: number; value: unknown }
  /** How far the items of a call are read. */
  | { kind: 'read'; call: number; state: ReadingState }
  /** Answers `pull`; null at the end. */
  | { kind: 'piece'; call: number; file: number; bytes: Uint8Array | null };

export type FromWorker =
  /** `lock`: held as long as the worker lives. */
  | { kind: 'ready'; lock?: string | undefined }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'error'; call: number; error: PlainError }
  /** What the caller hears before the result; a load asks for compute threads, by their tasks. */
  | { kind: 'event'; call: number; value: unknown }
  | { kind: 'question'; call: number; value: unknown }
  | { kind: 'item'; call: number; value: unknown }
  /** The call goes on when its items are read. */
  | { kind: 'waiting'; call: number }
  /** Asks for bytes of a file: the next ones, or those of a range. */
  | { kind: 'pull'; call: number; file: number; range?: Range };

export interface Range {
  position: number;
  length: number;
}

/** An error without its class, which a message would lose. */
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

/** What can be handed over instead of copied. */
export function buffersOf(value: unknown): Transferable[] {
  const parts = ArrayBuffer.isView(value) ? [value] : Object.values(value ?? {});
  return parts.flatMap((part) => (ArrayBuffer.isView(part) ? [part.buffer as ArrayBuffer] : []));
}
