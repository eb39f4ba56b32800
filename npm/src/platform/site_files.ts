// The source of the files of a site's index: `#platform/site_files`.

export interface SiteFiles {
  /** The folder that a location names, with a slash at its end. */
  folderOf(location: string | URL): URL;
  /** Reads a file that no server has. Throws IO errors. */
  readLocal(url: URL, maxBytes: number): Promise<Uint8Array>;
  /** Undoes zlib's compression. Throws if the bytes are damaged or become more than `maxBytes`. */
  inflate(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
}

/** The folder, also if its slash is missing. */
export function withSlash(url: URL): URL {
  if (url.pathname.endsWith('/')) return url;
  const folder = new URL(url);
  folder.pathname += '/';
  return folder;
}

/** The bytes of a whole stream. Throws a RangeError if that is more than `maxBytes`. */
export async function collected(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw new RangeError(`more than ${maxBytes} bytes`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
