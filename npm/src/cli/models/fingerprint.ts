// Hashes of everything that a saved index was built from, which show whether it must be rebuilt.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { embedderReader } from '../../embed/client.js';
import { locate } from '../../sources/locate.js';
import { locationOf } from '../../sources/open_source.js';

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

/**
 * Files in the folder of a model that may decide what it computes. Others, as those for other programs, need not be
 * read.
 */
const modelFile = /\.(json|txt|model|safetensors|gguf|weights)$/;

/** The hash of a model's file; if it has several or is on the Hub, a hash of their names and hashes. */
export async function fingerprintOfModel(model: string): Promise<string> {
  if (model.startsWith('hf:')) {
    const found = await locate(model, embedderReader, {});
    return sha256OfList(found.map(({ hub }) => `${hub!.path} ${hub!.etag}`));
  }
  const location = locationOf(model)!;
  if (location.protocol === 'file:' && (await stat(location)).isDirectory())
    return fingerprintOfFolder(fileURLToPath(location));
  const files = await locate(model, embedderReader, {});
  if (files.length === 1) return sha256OfFile(locationOf(files[0]!.source)!);
  const hashes: string[] = [];
  for (const { name, source } of files) hashes.push(`${name} ${await sha256OfFile(locationOf(source)!)}`);
  return sha256OfList(hashes);
}

async function fingerprintOfFolder(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const hashes: string[] = [];
  for (const name of names.filter((each) => modelFile.test(each)).sort()) {
    hashes.push(`${name} ${await sha256OfFile(join(folder, name))}`);
  }
  return sha256OfList(hashes);
}

const sha256OfList = (hashes: readonly string[]): string =>
  createHash('sha256').update(hashes.join('\n')).digest('hex');

/** For the note about why an index is rebuilt. */
export function difference(saved: Fingerprint, current: Fingerprint): string | undefined {
  if (saved.corpus !== current.corpus) return 'the corpus has changed';
  if (saved.model !== current.model) return 'the index is for another model';
  if (saved.settings !== current.settings) return 'the index is for other options';
  return undefined;
}
