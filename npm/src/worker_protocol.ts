// What a page and its worker say to each other. One worker holds one model.

import type { HostLoadOptions } from './backend.js';
import { messageOf, QuintetError, type ErrorCode, type ErrorDetails } from './errors.js';
import type { CacheEntry } from './model_source.js';

/** A source that can cross: what cannot is pulled chunk by chunk. */
export type PortableSource =
  | { kind: 'location'; href: string; entry?: CacheEntry | undefined }
  | { kind: 'blob'; blob: Blob }
  | { kind: 'pulled'; size: number | undefined };

export interface LoadRequest {
  files: readonly { name: string; source: PortableSource }[];
  options: HostLoadOptions;
  progress: boolean;
}

/** Calls are answered by `result` or `error` with the same number. */
export type ToWorker =
  | { kind: 'load'; call: number; request: LoadRequest }
  /** A method of the model. */
  | { kind: 'call'; call: number; method: string; args: readonly unknown[] }
  | { kind: 'abort'; call: number }
  /** Answers `question`. */
  | { kind: 'answer'; call: number; value: unknown }
  /** Answers `pull`; null at the end. */
  | { kind: 'chunk'; bytes: Uint8Array | null };

export type FromWorker =
  /** `lock`: held as long as the worker lives. */
  | { kind: 'ready'; lock?: string | undefined }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'error'; call: number; error: PlainError }
  /** What the caller of a method hears before its result; a load asks for helper threads, by their tasks. */
  | { kind: 'event' | 'question'; call: number; value: unknown }
  /** Asks for the next chunk of a file that is pulled. */
  | { kind: 'pull'; file: number };

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
