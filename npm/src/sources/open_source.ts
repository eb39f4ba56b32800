// Opens every kind of ModelSource. A response is checked before its body is used as a model.

import { files } from '#sources/files';

import { abortable, throwIfAborted } from '../base/abort.js';
import { inputError, ioError, messageOf, missingGlobal, QuintetError } from '../base/errors.js';
import type { ModelSource } from '../base/types.js';
import { isA, isBytes } from '../base/values.js';
import {
  type ByteSource,
  blobSource,
  bytesSource,
  iterableSource,
  notSource,
  streamSource,
} from './bytes/byte_source.js';
import type { Download } from './types.js';

export interface OpenOptions {
  signal?: AbortSignal | undefined;
  /** Options for fetching files. Default: as a whole, without retries. */
  download?: Download | undefined;
}

const plainDownload: Download = async (request, signal) => responseSource(await fetchResponse(request, signal));

/** Opens a source for reading once. The caller closes it. */
export async function openSource(
  source: ModelSource,
  { signal, download = plainDownload }: OpenOptions = {},
): Promise<ByteSource> {
  const location = locationOf(source);
  if (location) return location.protocol === 'file:' ? files.openFile(location) : download(location, signal);
  if (isBytes(source)) return bytesSource(source);
  if (isA(source, 'ArrayBuffer')) return bytesSource(new Uint8Array(source as ArrayBuffer));
  if (isA(source, 'Blob', 'File')) return blobSource(source as Blob);
  if (isA(source, 'Request')) return download(source as Request, signal);
  if (isA(source, 'Response')) return responseSource(source as Response);
  if (isA(source, 'ReadableStream')) return streamSource(source as ReadableStream<Uint8Array>);
  if (isAsyncIterable(source)) return iterableSource(source);
  throw notSource(source);
}

/** The absolute URL of a source that is a string or a URL. */
export function locationOf(source: ModelSource): URL | undefined {
  // Where Turbopack replaces `new URL('./file', import.meta.url)`, `href` is only a path.
  const location = isA(source, 'URL') ? (source as URL).href : source;
  if (typeof location !== 'string') return undefined;
  if (location === '') throw inputError('wrong_type', 'the source is an empty string');
  return files.resolve(location);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

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
    throw missingGlobal(error) ?? ioError('network', `cannot fetch ${nameOf(request)}: ${reasonOf(error)}`, error);
  }
}

/** The body of a response. It must be successful, unread, and not a web page. */
export function responseSource(response: Response): ByteSource {
  const name = response.url || 'the response';
  if (!response.ok) {
    discard(response);
    throw ioError('http_status', `${name}: HTTP status ${response.status} ${response.statusText}`.trimEnd());
  }
  if (!unread(response).body) throw ioError('network', `${name}: the response has no body`);
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
    discard(response);
    throw htmlError(name);
  }
  return refuseHtml(streamSource(response.body!, sizeOf(response)), name);
}

/**
 * `Content-Length` counts the transferred bytes. It is the size of the model only if they are not encoded, which
 * responses of another origin do not always reveal.
 */
function sizeOf(response: Response): number | undefined {
  if (response.type === 'cors' || response.headers.get('content-encoding')) return undefined;
  const length = response.headers.get('content-length');
  return length && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

// Servers of single-page applications send their start page for any path, some without a content type.
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
  ioError('html_instead_of_model', `${name}: the server sent a web page instead of a model`);

/** The size of the whole file, if a response contains the part from `position` on. */
export function partOf({ status, headers }: Response, position: number): number | undefined {
  const [, from, size] = /^bytes (\d+)-\d+\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  return status === 206 && Number(from) === position ? Number(size) : undefined;
}

/** Throws if the body of a response was already read. */
export function unread(response: Response): Response {
  if (response.bodyUsed) throw inputError('used', 'the body of the response was already read');
  return response;
}

export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

export function nameOf(request: string | URL | Request): string {
  return typeof request === 'string' || request instanceof URL ? String(request) : request.url;
}

// Node reports 'fetch failed' and hides the reason in the cause.
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
