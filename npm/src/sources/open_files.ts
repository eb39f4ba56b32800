// The one opener of the files of a model. Unlike for other sources, interrupted downloads resume, and browsers can keep
// files.

import type { Fallback } from '../base/fallbacks.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ByteSource } from './bytes/byte_source.js';
import { fetchResponse, locationOf, openSource, responseSource } from './open_source.js';
import type { Download, ModelFile, OpenableFile } from './types.js';

/** Everything that the `cache` option needs. */
export const storage = lazyModule(() => import('./cache/stored_loading.js'), 'loadStored');
const hub = lazyModule(() => import('./hub/open.js'), 'openHubSource');
const resuming = lazyModule(() => import('./bytes/http_download.js'), 'resumed');

/** Files to be opened in this thread. Adds the reason to `fallbacks` if a file should be kept but cannot be. */
export function openable(files: readonly ModelFile[], fallbacks: Fallback[]): OpenableFile[] {
  return files.map((file) => ({
    name: file.name,
    isRemote: /^https?:$/.test(locationOf(file.source)?.protocol ?? ''),
    size: file.hub?.size,
    open: (signal, download) => openModelFile(file, signal, fallbacks, download),
  }));
}

/** `seekably`: how to fetch a file that is read in any order, if it is not kept. The caller closes the source. */
export async function openModelFile(
  { source, entry, hub: file }: ModelFile,
  signal: AbortSignal | undefined,
  fallbacks: Fallback[],
  seekably?: Download,
): Promise<ByteSource> {
  if (file) return (await hub()).openHubSource(file, entry, { signal, fallbacks, seekable: seekably !== undefined });
  if (!entry) return openSource(source, { signal, download: seekably ?? download });
  const { downloading, openStored } = await storage();
  return openStored(entry, fallbacks, (part) => openSource(source, { signal, download: downloading(part) }));
}

// The code for resuming is fetched ahead for files beyond this size. A smaller one may as well be downloaded again.
const longBytes = 4 << 20;

/** Fetches a file. The code for resuming is loaded when a download breaks off, or takes long enough that it may. */
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
