// The cache folder of the Hub, as huggingface_hub writes and reads it
// (https://huggingface.co/docs/huggingface_hub/guides/manage-cache):
//
//   models--OWNER--NAME/
//     refs/main                 the commit of a branch or tag
//     blobs/ETAG                a file under its hash
//     snapshots/COMMIT/PATH     a relative link to it; the file itself where links are not possible
//     trees/COMMIT.json         all files of a commit

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { HubFile, HubFolder, Listing, RepositoryFile } from '../hub/types.js';
import { BlobWriter, pointTo } from './hub_blob.js';
import { folderName } from './hub_paths.js';

/** Makes backup programs leave the folder out (https://bford.info/cachedir/). */
const cacheTag = 'Signature: 8a477f597d28d172789f06886806bc55\n# A cache of files of the Hugging Face Hub.\n';

const commitHash = /^[0-9a-f]{40}$/;
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function hubFolder(root: string): HubFolder {
  return {
    async find(repository, revision) {
      const folder = join(root, folderName(repository));
      const commit = commitHash.test(revision) ? revision : (await readText(join(folder, 'refs', revision))).trim();
      if (!commitHash.test(commit)) return undefined;
      const listed = await readTree(folder, commit);
      const files = listed ?? (await linkedFiles(join(folder, 'snapshots', commit)));
      return files.length > 0 ? { repository, revision, commit, files, isWhole: listed !== undefined } : undefined;
    },

    async locate(file) {
      const { blob, pointer } = pathsOf(root, file);
      const [isStored, isThere] = await Promise.all(
        [pointer, blob].map(async (path) => (await sizeOf(path)) === file.size),
      );
      if (!isStored && !isThere) return undefined;
      // A folder that cannot be written to can still be read.
      if (
        !isStored &&
        !(await pointTo(blob, pointer, false).then(
          () => true,
          () => false,
        ))
      )
        return pathToFileURL(blob);
      await noteListing(root, file.model.listing).catch(() => {});
      return pathToFileURL(pointer);
    },

    async store(file) {
      const { blob, pointer } = pathsOf(root, file);
      const writer = await BlobWriter.begin(blob, file.size);
      return {
        write: (bytes) => writer.write(bytes),
        async commit() {
          await writer.commit();
          await Promise.all([pointTo(blob, pointer, true), noteListing(root, file.model.listing)]);
        },
        discard: () => writer.discard(),
      };
    },
  };
}

function pathsOf(root: string, { etag, path, model }: HubFile): { blob: string; pointer: string } {
  const { repository, commit } = model.listing;
  const folder = join(root, folderName(repository));
  return { blob: join(folder, 'blobs', etag), pointer: join(folder, 'snapshots', commit, ...path.split('/')) };
}

/** Listings are shared by the files of a model, and noted with the first one. */
const noted = new WeakSet<Listing>();

/** Records the commit of a revision, and its files. */
async function noteListing(root: string, listing: Listing): Promise<void> {
  if (noted.has(listing)) return;
  noted.add(listing);
  const { repository, revision, commit, files, isWhole } = listing;
  const folder = join(root, folderName(repository));
  await Promise.all([
    revision !== commit && replaceText(join(folder, 'refs', revision), commit),
    isWhole && replaceText(join(folder, 'trees', `${commit}.json`), treeText(files)),
    writeFile(join(root, 'CACHEDIR.TAG'), cacheTag, { flag: 'wx' }).catch(() => {}),
  ]);
}

/** The format of huggingface_hub's _tree_cache.py, version 1. */
function treeText(files: readonly RepositoryFile[]): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const entries = sorted.map(({ path, size, etag, oid }) => {
    const lfs = etag === oid ? {} : { lfs_sha256: etag, lfs_size: size };
    return [path, { size, blob_id: oid, ...lfs }] as const;
  });
  return JSON.stringify({ format_version: 1, files: Object.fromEntries(entries) }, null, 1);
}

async function readTree(folder: string, commit: string): Promise<RepositoryFile[] | undefined> {
  try {
    const tree = JSON.parse(await readText(join(folder, 'trees', `${commit}.json`))) as Tree;
    if (tree.format_version !== 1) return undefined;
    const files = Object.entries(tree.files).map(
      ([path, { size, blob_id: oid, lfs_sha256: etag = oid, lfs_size: bytes = size }]) => {
        return { path, size: bytes, etag, oid };
      },
    );
    return files.every(({ size, etag, oid }) => Number.isSafeInteger(size) && hash.test(etag) && hash.test(oid))
      ? files
      : undefined;
  } catch {
    return undefined;
  }
}

interface Tree {
  format_version: number;
  files: Record<string, { size: number; blob_id: string; lfs_sha256?: string; lfs_size?: number }>;
}

/** The files of a snapshot, for folders without a tree. */
async function linkedFiles(snapshot: string): Promise<RepositoryFile[]> {
  const entries = await readdir(snapshot, { recursive: true }).catch(() => []);
  const files = await Promise.all(
    entries.map(async (entry) => {
      const pointer = join(snapshot, entry);
      const stats = await stat(pointer).catch(() => undefined);
      if (!stats?.isFile()) return [];
      // A copied file does not reveal its hash; its path serves as well for finding it again.
      const etag = basename(await realpath(pointer));
      return [{ path: entry.replaceAll('\\', '/'), size: stats.size, etag, oid: etag }];
    }),
  );
  return files.flat();
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Under another name first: readers never see a part of it. */
async function replaceText(path: string, text: string): Promise<void> {
  if ((await readText(path)) === text) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size;
