// Small files of a model that are read at once.

import { QuintetError } from '../base/errors.js';
import type { ByteSource } from './bytes/byte_source.js';
import { openModelFile } from './open_files.js';
import type { ModelFile } from './types.js';

/** @throws QuintetError FORMAT if the file is longer than `maxBytes`; IO, ABORTED */
export async function wholeFile(
  file: ModelFile,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  return wholeSource(await openModelFile(file, signal, []), file.name, maxBytes);
}

/** Closes the source. `name`: for messages. */
export async function wholeSource(
  source: ByteSource,
  name: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for (let part; (part = await source.read()); ) {
      bytes += part.length;
      if (bytes > maxBytes)
        throw new QuintetError('FORMAT', `${name}: expected at most ${maxBytes} bytes`, { reason: 'limit' });
      parts.push(part.slice());
    }
  } finally {
    await source.close();
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
