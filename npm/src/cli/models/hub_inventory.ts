// The models in the cache folder of the Hub, which Python has downloaded as well as quintet.
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { inputError } from '../../base/errors.js';
import { folderName, hubCache, repositoryOf } from '../../sources/node/hub_paths.js';

export interface KeptRevision {
  commit: string;
  /** Branches and tags that stand for it. */
  refs: string[];
  files: number;
  bytes: number;
}

export interface KeptModel {
  /** OWNER/NAME */
  name: string;
  /** Bytes on disk; a file of several revisions counts once. */
  bytes: number;
  revisions: KeptRevision[];
}

/** Sorted by name. */
export async function keptModels(): Promise<KeptModel[]> {
  const names = (await readdir(hubCache()).catch(() => [])).map(repositoryOf).filter((name) => name !== undefined);
  return Promise.all(names.sort().map(keptModel));
}

async function keptModel(name: string): Promise<KeptModel> {
  const folder = join(hubCache(), folderName(name));
  const refs = await refsOf(folder);
  const commits = await readdir(join(folder, 'snapshots')).catch(() => []);
  const inAll = new Map<string, number>();
  const revisions = await Promise.all(
    commits.sort().map(async (commit) => {
      const files = await filesOf(join(folder, 'snapshots', commit));
      for (const [path, bytes] of files) inAll.set(path, bytes);
      return {
        commit,
        refs: refs.filter(([, of]) => of === commit).map(([ref]) => ref),
        files: files.size,
        bytes: sum(files),
      };
    }),
  );
  return { name, bytes: sum(inAll), revisions };
}

const sum = (files: Map<string, number>) => [...files.values()].reduce((total, bytes) => total + bytes, 0);

/** The files that a snapshot links to or contains, with their sizes. */
async function filesOf(snapshot: string): Promise<Map<string, number>> {
  const files = new Map<string, number>();
  for (const entry of await readdir(snapshot, { recursive: true })) {
    const path = await realpath(join(snapshot, entry)).catch(() => undefined);
    const stats = path === undefined ? undefined : await stat(path);
    if (stats?.isFile()) files.set(path!, stats.size);
  }
  return files;
}

async function refsOf(folder: string): Promise<[ref: string, commit: string][]> {
  const root = join(folder, 'refs');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return Promise.all(
    paths.map(
      async (path): Promise<[string, string]> => [
        path.slice(root.length + 1).replaceAll(sep, '/'),
        (await readFile(path, 'utf8')).trim(),
      ],
    ),
  );
}

/**
 * Deletes a model, or one revision of it with the files that no other revision has. `asked` is OWNER/NAME, with or
 * without hf: before and @REVISION after it. Returns the bytes that this frees.
 */
export async function deleteKept(asked: string): Promise<number> {
  const [name = '', revision] = asked.replace(/^hf:(\/\/)?/, '').split('@');
  const model = (await keptModels()).find((each) => each.name === name);
  if (!model) throw inputError('missing', `there is no model '${name}' in ${hubCache()}`);
  const folder = join(hubCache(), folderName(name));
  const deleted = model.revisions.find(({ commit, refs }) => commit === revision || refs.includes(revision!));
  if (revision !== undefined && !deleted)
    throw inputError('missing', `${name} has no revision '${revision}' in ${hubCache()}`);
  if (!deleted || model.revisions.length === 1) {
    await rm(folder, { recursive: true });
    await rm(join(hubCache(), '.locks', folderName(name)), { recursive: true, force: true });
    return model.bytes;
  }
  return deleteRevision(folder, deleted, model);
}

async function deleteRevision(
  folder: string,
  { commit, refs }: KeptRevision,
  { revisions }: KeptModel,
): Promise<number> {
  const others = revisions.filter((each) => each.commit !== commit);
  const kept = await Promise.all(others.map((other) => filesOf(join(folder, 'snapshots', other.commit))));
  const own = await filesOf(join(folder, 'snapshots', commit));
  for (const files of kept) for (const path of files.keys()) own.delete(path);
  // The names first: a process that looks for the model finds none, and not half of it.
  for (const ref of refs) await rm(join(folder, 'refs', ...ref.split('/')), { force: true });
  const besides = [`snapshots/${commit}`, `.no_exist/${commit}`, `trees/${commit}.json`];
  for (const path of besides) await rm(join(folder, path), { recursive: true, force: true });
  const blobs = resolve(await realpath(folder), 'blobs') + sep;
  for (const path of own.keys()) if (path.startsWith(blobs)) await rm(path, { force: true });
  return sum(own);
}
