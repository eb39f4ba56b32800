// Where models come from: as every source, but that downloads go on where they broke off, and that browsers keep files.

import type { ByteSource } from './byte_source.js';
import { fetchResponse, responseSource } from './http_source.js';
import { loaded } from './part_loading.js';
import { openSource } from './source.js';
import type { ModelSource } from './types.js';

/** A file in the browser's cache. What passes can cross between threads. */
export interface CacheEntry {
  name: string;
  /** Digest that the file must have. */
  integrity: string | undefined;
  /** Whether what is there is of no use. */
  stale: boolean;
}

export const storage = () => loaded(() => import('./stored.js'), 'openStored');

/** `fallbacks` gets the reason where a file is not kept although it should be. The caller closes the source. */
export async function openModelSource(
  source: ModelSource,
  signal: AbortSignal | undefined,
  entry: CacheEntry | undefined,
  fallbacks: string[],
): Promise<ByteSource> {
  if (!entry) return openSource(source, { signal, download });
  const { downloading, openStored } = await storage();
  return openStored(entry, fallbacks, (part) => openSource(source, { signal, download: downloading(part) }));
}

const resuming = () => loaded(() => import('./http_download.js'), 'resumed');
// Smaller files may as well begin anew where even that cannot be loaded.
const longBytes = 4 << 20;

/** Fetches a file. What lets it go on where it breaks off is loaded when that has happened, or may well. */
async function download(request: URL | Request, signal?: AbortSignal): Promise<ByteSource> {
  const response = await fetchResponse(request, signal);
  const body = responseSource(response);
  let position = 0;
  let isLong = false;
  let closed = false;
  let rest: ByteSource | undefined;
  return {
    ...body,
    async read() {
      if (rest) return rest.read();
      let failure: unknown;
      try {
        const chunk = await body.read();
        position += chunk?.length ?? 0;
        if (position > longBytes && !isLong) resuming().catch(() => {});
        isLong = position > longBytes;
        if (chunk || closed || position >= (body.size ?? 0)) return chunk;
      } catch (error) {
        failure = error;
      }
      const { resumed } = await resuming().catch((error: unknown) => {
        throw failure ?? error;
      });
      if (closed) return null;
      rest = resumed(request, signal, response, body, position, failure);
      return rest.read();
    },
    async close() {
      closed = true;
      await body.close();
      await rest?.close();
    },
  };
}
