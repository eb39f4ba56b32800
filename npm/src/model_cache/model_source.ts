// Files of models: as every source, but that downloads go on where they broke off, and that browsers keep files.

import { lazyPart } from '../base/lazy_part.js';
import type { ByteSource } from '../bytes/byte_source.js';
import { fetchResponse, responseSource } from '../bytes/http_source.js';
import { openSource } from '../platform/sources.js';
import type { CacheableSource } from './stored_source.js';

/** All that the `cache` option needs. */
export const storage = lazyPart(() => import('./stored_loading.js'), 'loadStored');
const resuming = lazyPart(() => import('../bytes/http_download.js'), 'resumed');

/** `fallbacks` gets the reason where a file is not kept although it should be. The caller closes the source. */
export async function openModelSource(
  { source, entry }: CacheableSource,
  signal: AbortSignal | undefined,
  fallbacks: string[],
): Promise<ByteSource> {
  if (!entry) return openSource(source, { signal, download });
  const { downloading, openStored } = await storage();
  return openStored(entry, fallbacks, (part) => openSource(source, { signal, download: downloading(part) }));
}

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
