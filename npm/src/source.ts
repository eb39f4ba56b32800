// The kinds of ModelSource, told apart.

import {
  blobSource,
  bytesSource,
  isA,
  isBytes,
  iterableSource,
  streamSource,
  typeName,
  type ByteSource,
} from './byte_source.js';
import { inputError } from './errors.js';
import { fetchResponse, responseSource } from './http_source.js';
import { platform } from 'quintet-platform';
import type { ModelSource } from './types.js';

export interface OpenOptions {
  signal?: AbortSignal | undefined;
  /** Fetches files; the default does it as a whole, and in one go. */
  download?: Download | undefined;
}

type Download = (request: URL | Request, signal?: AbortSignal) => Promise<ByteSource>;

const plainDownload: Download = async (request, signal) => responseSource(await fetchResponse(request, signal));

/** Opens a source for reading once. The caller closes it. */
export async function openSource(
  source: ModelSource,
  { signal, download = plainDownload }: OpenOptions = {},
): Promise<ByteSource> {
  const location = locationOf(source);
  if (location) {
    if (location.protocol === 'file:') return platform.openFile(location);
    return download(location, signal);
  }
  if (isBytes(source)) return bytesSource(source);
  if (isA(source, 'ArrayBuffer')) return bytesSource(new Uint8Array(source as ArrayBuffer));
  if (isA(source, 'Blob', 'File')) return blobSource(source as Blob);
  if (isA(source, 'Request')) return download(source as Request, signal);
  if (isA(source, 'Response')) return responseSource(source as Response);
  if (isA(source, 'ReadableStream')) return streamSource(source as ReadableStream<Uint8Array>);
  if (isAsyncIterable(source)) return iterableSource(source);
  throw inputError('wrong_type', `a model cannot come from ${typeName(source)}`);
}

/** The absolute URL of a source that is a string or a URL. */
export function locationOf(source: ModelSource): URL | undefined {
  if (isA(source, 'URL')) return source as URL;
  if (typeof source !== 'string') return undefined;
  if (source === '') throw inputError('wrong_type', 'the source is an empty string');
  return platform.resolve(source);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
