// Models from the network: an answer is checked before its body is taken for a model.

import { abortable, throwIfAborted } from './abort.js';
import { seekableSource, streamSource, type ByteSource } from './byte_source.js';
import { inputError, ioError, messageOf, QuintetError } from './errors.js';

/** Fetches a whole file. */
export async function fetchSource(request: string | URL | Request, signal?: AbortSignal): Promise<ByteSource> {
  return responseSource(await fetchResponse(request, signal));
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

// Most headers fit into the first request, and one of the last size is worth its round trip.
const firstPartBytes = 64 << 10;
const mostPartBytes = 4 << 20;

/** Fetches a file for reading in any order, where the server answers range requests, else as a whole. */
export async function fetchSeekable(url: string | URL, signal?: AbortSignal): Promise<ByteSource> {
  const fetchPart = (position: number, length: number) =>
    fetchResponse(url, signal, { headers: { range: `bytes=${position}-${position + length - 1}` } });
  const answer = await fetchPart(0, firstPartBytes);
  if (answer.status === 200) return responseSource(answer);
  const size = partOf(answer, 0);
  // With an encoding the positions would be those of the encoded bytes.
  if (size === undefined || answer.headers.get('content-encoding')) {
    discard(answer);
    return fetchSource(url, signal);
  }
  const first = await bodyOf(answer, url);
  return seekableSource(size, async (position, length) => {
    if (position < first.length) return first.subarray(position, position + length);
    const wanted = Math.min(length, mostPartBytes);
    const response = await fetchPart(position, wanted);
    if (response.status !== 206) {
      discard(response);
      throw ioError('http_status', `${url}: HTTP status ${response.status} for a part of the file`);
    }
    const isSame = partOf(response, position) === size;
    const part = await bodyOf(response, url);
    if (isSame && part.length > 0 && part.length <= wanted) return part;
    throw ioError('read_failed', `${url}: another part than the one asked for, or the file has changed`);
  });
}

/** The size of the file of which an answer holds the part from `position` on. */
function partOf({ status, headers }: Response, position: number): number | undefined {
  const [, from, size] = /^bytes (\d+)-\d+\/(\d{1,15})$/.exec(headers.get('content-range') ?? '') ?? [];
  return status === 206 && Number(from) === position ? Number(size) : undefined;
}

async function bodyOf(response: Response, url: string | URL): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw ioError('read_failed', `${url}: the source failed: ${messageOf(error)}`, error);
  }
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function nameOf(request: string | URL | Request): string {
  return typeof request === 'string' || request instanceof URL ? String(request) : request.url;
}

// Node says 'fetch failed' and hides the reason in the cause.
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
