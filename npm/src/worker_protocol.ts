// What a page and its worker say to each other. One worker holds one model.

import type { EmbedSettings, HostLoadOptions } from './embedder_backend.js';
import { messageOf, QuintetError, type ErrorCode, type ErrorDetails } from './errors.js';
import type { LoadProgress } from './types.js';

/** A source that can cross: what cannot is pulled chunk by chunk. */
export type PortableSource =
  | { kind: 'location'; href: string }
  | { kind: 'blob'; blob: Blob }
  | { kind: 'pulled'; size?: number };

/** Calls are answered by `result` or `error` with the same number. */
export type WorkerRequest =
  | { kind: 'load'; source: PortableSource; options: HostLoadOptions; progress: boolean }
  | { kind: 'embed'; texts: readonly string[]; first: number; settings: EmbedSettings }
  | { kind: 'embedIds'; ids: Int32Array; settings: EmbedSettings }
  | { kind: 'tokenize'; text: string }
  | { kind: 'countTokens'; text: string }
  | { kind: 'tokens'; ids: Int32Array };

export type ToWorker =
  | { kind: 'call'; call: number; request: WorkerRequest }
  | { kind: 'abort'; call: number }
  /** Answers `pull`; null at the end. */
  | { kind: 'chunk'; bytes: Uint8Array | null };

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'result'; call: number; value: unknown }
  | { kind: 'error'; call: number; error: PlainError }
  | { kind: 'progress'; progress: LoadProgress }
  | { kind: 'pull' };

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
