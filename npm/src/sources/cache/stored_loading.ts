// Loading with the `cache` option: the names of stored files, when they count as complete, and the second attempt if a
// stored file is damaged.

import { inputError, QuintetError } from '../../base/errors.js';
import type { CommonLoadOptions, LoadProgress } from '../../base/types.js';
import { isA } from '../../base/values.js';
import { locationOf } from '../open_source.js';
import type { ModelFile } from '../types.js';
import { deleteStored, keepListing, keptName, StoredFile } from './stored_files.js';

export { downloading } from '../bytes/http_download.js';
export { clearStored, deleteModel, listStored, storedSize } from './stored_files.js';
export { openStored } from './stored_source.js';

type Notify = CommonLoadOptions['onProgress'];
type Load<R> = (files: readonly ModelFile[], onProgress: Notify) => Promise<R>;

/** If the stored files are damaged, `load` is called again with the original files. */
export async function loadStored<R>(
  files: readonly ModelFile[],
  { cache, integrity, onProgress }: CommonLoadOptions,
  load: Load<R>,
): Promise<R> {
  const names = files.map((file) => nameInCache(file, cache!));
  const notify = onProgress && goingOn(onProgress);
  const attempt = async (stale: boolean) => {
    const entries = files.map((file, i) => ({
      ...file,
      entry: { name: names[i]!, integrity, stale, version: file.hub?.etag },
    }));
    const result = await load(entries, notify);
    await Promise.all(names.map((name) => markUsed(name, integrity)));
    await keepListingOf(files[0]);
    return result;
  };
  try {
    return await attempt(false);
  } catch (error) {
    if (!isBroken(error)) throw error;
    const used = await Promise.all(names.map(isUsed));
    if (!used.includes(true) && error.reason !== 'damaged') return forget(names, error);
    return await attempt(true).catch((again: unknown) => {
      if (isBroken(again)) return forget(names, again);
      throw again instanceof QuintetError && again.code === 'IO' ? error : again;
    });
  }
}

/** Deletes damaged files and throws the error. */
async function forget(names: readonly string[], error: unknown): Promise<never> {
  await Promise.all(names.map(deleteStored)).catch(() => {});
  throw error;
}

function isBroken(error: unknown): error is QuintetError {
  if (!(error instanceof QuintetError)) return false;
  const { code, reason } = error;
  return code === 'FORMAT' || reason === 'integrity' || reason === 'damaged';
}

function nameInCache({ name, source, hub }: ModelFile, cache: string | boolean): string {
  if (typeof cache === 'string') return name ? `${cache}/${name}` : cache;
  if (hub) return `${keptName(hub.model.listing)}/${hub.path}`;
  const url = isA(source, 'Request', 'Response') ? (source as Request | Response).url : locationOf(source)?.href;
  if (url && !/^(blob|data):/.test(url)) return url.replace(/#.*/, '');
  throw inputError('missing', "load: 'cache' must be a name, because the source has no permanent URL");
}

// Without access to storage nothing is stored, which the load itself has reported as a fallback.
const stored = (name: string) => StoredFile.find(name).catch(() => undefined);

const isUsed = async (name: string) => (await stored(name))?.notes.used === true;

/** A file counts as good once a model was loaded from it. */
async function markUsed(name: string, integrity: string | undefined): Promise<void> {
  const file = await stored(name);
  const { bytes, used, integrity: checked } = file?.notes ?? {};
  if (bytes === undefined || (used && (!integrity || checked))) return;
  await file!.note({ used: true, ...(integrity ? { integrity } : {}) }).catch(() => {});
}

/** Best effort: without it the list is requested from the Hub again. */
async function keepListingOf(file: ModelFile | undefined): Promise<void> {
  const { listing, fallback } = file?.hub?.model ?? {};
  if (listing?.isWhole && fallback === undefined) await keepListing(listing).catch(() => {});
}

const stages: LoadProgress['stage'][] = ['compile', 'download', 'prepare'];

/** Progress of a second attempt continues where the first one ended. */
function goingOn(notify: NonNullable<Notify>): Notify {
  let reached = 0;
  let most = 0;
  return (progress) => {
    const stage = stages.indexOf(progress.stage);
    if (stage < reached) return;
    most = stage > reached ? progress.loaded : Math.max(most, progress.loaded);
    reached = stage;
    notify({ ...progress, loaded: most });
  };
}
