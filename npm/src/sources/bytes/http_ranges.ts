// Reads files on a server in any order, with range requests.

import { ioError, messageOf, requireGlobals } from '../../base/errors.js';
import { isA } from '../../base/values.js';
import { discard, fetchResponse, partOf, responseSource } from '../open_source.js';
import { type ByteSource, seekableSource } from './byte_source.js';

// Most headers fit into the first request. A request of the maximum size outweighs its round trip.
const firstPartBytes = 64 << 10;
const maxPartBytes = 4 << 20;

/** Fetches a file for reading in any order if the server supports range requests, else as a whole. */
export async function fetchSeekable(request: URL | Request, signal?: AbortSignal): Promise<ByteSource> {
  if (isA(request, 'Request') || !/^https?:/.test(String(request))) {
    return responseSource(await fetchResponse(request, signal));
  }
  return seekableFrom(String(request), (headers) => fetchResponse(request, signal, headers ? { headers } : {}));
}

/** Like fetchSeekable, for a file that `get` requests and that messages call `name`. */
export async function seekableFrom(name: string, get: (headers?: Headers) => Promise<Response>): Promise<ByteSource> {
  requireGlobals('ReadableStream', 'Headers');
  const getPart = (position: number, length: number) =>
    get(new Headers({ range: `bytes=${position}-${position + length - 1}` }));
  const answer = await getPart(0, firstPartBytes);
  if (answer.status === 200) return responseSource(answer);
  const size = partOf(answer, 0);
  // With an encoding, positions would refer to the encoded bytes.
  if (size === undefined || answer.headers.get('content-encoding')) {
    discard(answer);
    return responseSource(await get());
  }
  const first = await bodyOf(answer, name);
  return seekableSource(size, async (position, length) => {
    if (position < first.length) return first.subarray(position, position + length);
    const wanted = Math.min(length, maxPartBytes);
    const response = await getPart(position, wanted);
    const isPart = partOf(response, position) === size;
    if (!isPart) discard(response);
    const part = isPart ? await bodyOf(response, name) : [];
    if (part.length > 0 && part.length <= wanted) return part as Uint8Array;
    throw ioError('read_failed', `${name}: HTTP status ${response.status} without the requested range`);
  });
}

async function bodyOf(response: Response, name: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw ioError('read_failed', `cannot read ${name}: ${messageOf(error)}`, error);
  }
}
