// Models from the network: an answer is checked before its body is taken for a model.

import { abortable, throwIfAborted } from '../base/abort.js';
import { streamSource, type ByteSource } from './byte_source.js';
import { inputError, ioError, messageOf, QuintetError } from '../base/errors.js';

export async function fetchResponse(
  request: string | URL | Request,
  signal?: AbortSignal,
  init: RequestInit = {},
): Promise<Response> {
  try {
    return await abortable(fetch(request, signal ? { ...init, signal } : init), signal);
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof QuintetError) throw error;
    throw ioError('network', `cannot fetch ${nameOf(request)}: ${reasonOf(error)}`, error);
  }
}

/** The body of an answer, which must be a success, unread, and no web page. */
export function responseSource(response: Response): ByteSource {
  const name = response.url || 'the response';
  if (!response.ok) {
    discard(response);
    throw ioError('http_status', `${name}: HTTP status ${response.status} ${response.statusText}`.trimEnd());
  }
  if (response.bodyUsed) throw inputError('used', 'the body of the response was already read');
  if (!response.body) throw ioError('network', `${name}: the answer has no body`);
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
    discard(response);
    throw htmlError(name);
  }
  return refuseHtml(streamSource(response.body, sizeOf(response)), name);
}

/**
 * `Content-Length` counts the bytes as they travel. It is the model's size only where they travel unencoded, which
 * answers from another origin do not always tell.
 */
function sizeOf(response: Response): number | undefined {
  if (response.type === 'cors' || response.headers.get('content-encoding')) return undefined;
  const length = response.headers.get('content-length');
  return length && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

// Servers of single-page applications answer any path with their start page, some without a content type.
function refuseHtml(source: ByteSource, name: string): ByteSource {
  let first = true;
  return {
    ...source,
    async read() {
      const chunk = await source.read();
      if (first && chunk && /^\s*<(!doctype html|html)\b/i.test(beginning(chunk))) throw htmlError(name);
      first = false;
      return chunk;
    },
  };
}

const beginning = (chunk: Uint8Array) => String.fromCharCode(...chunk.subarray(0, 64));

const htmlError = (name: string) =>
  ioError('html_instead_of_model', `${name}: the server answered with a web page, not with a model`);

/** The size of the file of which an answer holds the part from `position` on. */
export function partOf({ status, headers }: Response, position: number): number | undefined {
  const [, from, size] = /^bytes (\d+)-\d+\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  return status === 206 && Number(from) === position ? Number(size) : undefined;
}

export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

export function nameOf(request: string | URL | Request): string {
  return typeof request === 'string' || request instanceof URL ? String(request) : request.url;
}

// Node says 'fetch failed' and hides the reason in the cause.
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
