// Copies files of the package into a folder, and remembers which: files from elsewhere are never replaced, and those
// that a later version does not need are removed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inputError } from '../../base/errors.js';
import { packageFolder, sourceOf } from '../../platform/node/asset_files.js';
import { writeAtomically } from '../output/atomic_file.js';

/** The list of copied files, in the folder itself. */
const LIST = 'quintet-assets.json';

interface AssetList {
  /** Version of the package. */
  version: string;
  /** SHA-256 of each file in hexadecimal. */
  files: Record<string, string>;
}

export interface CopiedAsset {
  name: string;
  bytes: number;
  status: 'copied' | 'unchanged';
}

export interface CopyReport {
  files: CopiedAsset[];
  /** Names of files of an earlier call that are no longer needed. */
  removed: string[];
}

/** @throws QuintetError INPUT if a file is in the way that was not copied by this function; nothing is changed then */
export async function copyAssets(names: readonly string[], folder: string, version: string): Promise<CopyReport> {
  const before = readList(folder);
  const assets = names.map((name) => {
    const bytes = readFileSync(new URL(sourceOf(name), packageFolder));
    return { name, bytes, hash: hashOf(bytes), present: hashAt(join(folder, name)) };
  });
  const foreign = assets.filter(
    ({ name, hash, present }) => present !== undefined && present !== hash && present !== before[name],
  );
  if (foreign.length > 0) {
    const listed = foreign.map(({ name }) => name).join(', ');
    throw inputError(
      'duplicate',
      `${folder} has files of the same name that quintet did not write or that were changed: ${listed}; choose another folder, or delete them`,
    );
  }
  const removed = Object.keys(before).filter(
    (name) => !names.includes(name) && hashAt(join(folder, name)) === before[name],
  );
  mkdirSync(folder, { recursive: true });
  const files: CopiedAsset[] = [];
  for (const { name, bytes, hash, present } of assets) {
    if (present !== hash) await writeAtomically(join(folder, name), [bytes]);
    files.push({ name, bytes: bytes.length, status: present === hash ? 'unchanged' : 'copied' });
  }
  const list: AssetList = { version, files: Object.fromEntries(assets.map(({ name, hash }) => [name, hash])) };
  await writeAtomically(join(folder, LIST), [Buffer.from(`${JSON.stringify(list, null, 1)}\n`)]);
  for (const name of removed) rmSync(join(folder, name));
  return { files, removed };
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const hashAt = (path: string): string | undefined => (existsSync(path) ? hashOf(readFileSync(path)) : undefined);

/** The files of an earlier call, with their hashes. */
function readList(folder: string): Record<string, string> {
  const path = join(folder, LIST);
  if (!existsSync(path)) return {};
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as AssetList;
    // This command writes no files into other folders: names that lead there are not its own.
    return Object.fromEntries(Object.entries(files).filter(([name]) => /^[\w-]+\.(js|wasm)$/.test(name)));
  } catch {
    throw inputError('malformed', `${path} is not a list of assets: delete it`);
  }
}
