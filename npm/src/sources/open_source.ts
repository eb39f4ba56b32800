// Opens every kind of ModelSource.

import { files } from '#sources/files';

import { inputError } from '../base/errors.js';
import type { ModelSource } from '../base/types.js';
import { isA, isBytes } from '../base/values.js';
import { blobSource, bytesSource, iterableSource, notSource, streamSource, type ByteSource } from './bytes/byte_source.js';
import { fetchResponse, responseSource } from './bytes/http_source.js';
import type { Download } from './types.js';

export interface OpenOptions {
  signal?: AbortSignal | undefined;
  /** How files are fetched. Default: as a whole, without retries. */
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
  if (isA(source, 'URL')) return source as URL;
  if (typeof source !== 'string') return undefined;
  if (source === '') throw inputError('wrong_type', 'the source is an empty string');
  return files.resolve(source);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
