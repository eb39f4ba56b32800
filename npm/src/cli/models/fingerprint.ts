// What a saved index was made of, to tell when it must be made again.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export interface Fingerprint {
  corpus: string;
  model: string;
  settings: string;
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** In words, for the note that says why an index is built again. */
export function difference(saved: Fingerprint, current: Fingerprint): string | undefined {
  if (saved.corpus !== current.corpus) return 'the corpus has changed';
  if (saved.model !== current.model) return 'it was made with another model';
  if (saved.settings !== current.settings) return 'it was made with other options';
  return undefined;
}
