// What a saved index was built from, to know when it must be rebuilt.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { findModel } from '../../hub/model.js';
import { filesOf } from '../../platform/model_files.js';
import { hubFolder } from '../../platform/node/hub_folder.js';
import { locationOf } from '../../platform/sources.js';

export interface Fingerprint {
  corpus: string;
  model: string;
  settings: string;
}

export async function sha256OfFile(path: string | URL): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Of a model's file; of the hashes of its files, if it has several or is on the Hub. */
export async function fingerprintOfModel(model: string): Promise<string> {
  if (model.startsWith('hf:')) {
    const found = await findModel(model, 'embedder', {}, ({ folder }) => hubFolder(folder!));
    return sha256OfList(found.map(({ file }) => `${file.path} ${file.etag}`));
  }
  const files = await filesOf(model, 'embedder');
  if (files.length === 1) return sha256OfFile(locationOf(files[0]!.source)!);
  const hashes: string[] = [];
  for (const { name, source } of files) hashes.push(`${name} ${await sha256OfFile(locationOf(source)!)}`);
  return sha256OfList(hashes);
}

const sha256OfList = (hashes: readonly string[]): string => createHash('sha256').update(hashes.join('\n')).digest('hex');

/** For the note that says why an index is rebuilt. */
export function difference(saved: Fingerprint, current: Fingerprint): string | undefined {
  if (saved.corpus !== current.corpus) return 'the corpus has changed';
  if (saved.model !== current.model) return 'the index is for another model';
  if (saved.settings !== current.settings) return 'the index is for other options';
  return undefined;
}
