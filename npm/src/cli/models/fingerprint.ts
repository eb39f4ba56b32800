// What a saved index was built from, to know when it must be rebuilt.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { findModel } from '../../hub/model.js';
import { hubFolder } from '../../platform/node/hub_folder.js';

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

/** Of a model's file or, by name, of the hashes of its files on the Hub. */
export async function fingerprintOfModel(model: string): Promise<string> {
  if (!model.startsWith('hf:')) return sha256OfFile(model);
  const found = await findModel(model, 'embedder', {}, ({ folder }) => hubFolder(folder!));
  const hashes = found.map(({ file }) => `${file.path} ${file.etag}`);
  return createHash('sha256').update(hashes.join('\n')).digest('hex');
}

/** For the note that says why an index is rebuilt. */
export function difference(saved: Fingerprint, current: Fingerprint): string | undefined {
  if (saved.corpus !== current.corpus) return 'the corpus has changed';
  if (saved.model !== current.model) return 'the index is for another model';
  if (saved.settings !== current.settings) return 'the index is for other options';
  return undefined;
}
