// Brings an index of pictures up to date.
import { readFile } from 'node:fs/promises';
import { ioError, messageOf, QuintetError } from '../../base/errors.js';
import { exifDate } from './exif_date.js';
import type { PictureFile } from './picture_files.js';
import type { PictureIndex, ReadPicture } from './picture_index.js';

export interface BrokenPicture {
  path: string;
  error: QuintetError;
}

export interface UpdateReport {
  added: number;
  changed: number;
  removed: number;
  broken: BrokenPicture[];
  /** Pictures that were not embedded since the update was stopped. */
  left: number;
  /** The time it took to embed. */
  seconds: number;
}

export interface UpdateWatch {
  onProgress(done: number, total: number, picturesPerSecond: number): void;
  isStopped(): boolean;
}

/** Embeds new and changed pictures of `folder`, and drops missing ones. Pictures that cannot be decoded are skipped. */
export async function updateIndex(
  index: PictureIndex,
  folder: string,
  pictures: readonly PictureFile[],
  { onProgress, isStopped }: UpdateWatch,
): Promise<UpdateReport> {
  const removed = index.keepOnly(pictures, folder);
  const waiting = pictures.filter((picture) => index.stateOf(picture) !== 'known');
  const isNew = new Map(waiting.map((picture) => [picture.path, index.stateOf(picture) === 'new']));
  const broken: BrokenPicture[] = [];
  const onBroken = (path: string, error: QuintetError) => {
    broken.push({ path, error });
    index.remove(path);
    isNew.delete(path);
  };
  const started = performance.now();
  const secondsSince = () => (performance.now() - started) / 1000;
  let begun = 0;
  let unread = 0;

  async function* read(): AsyncGenerator<ReadPicture> {
    for (const picture of waiting) {
      if (isStopped()) return;
      begun += 1;
      try {
        const image = await bytesOf(picture.path);
        yield { ...picture, image, taken: exifDate(image) };
      } catch (error) {
        if (!(error instanceof QuintetError)) throw error;
        unread += 1;
        onBroken(picture.path, error);
      }
    }
  }

  await index.embed(read(), onBroken, (done) => onProgress(done + unread, waiting.length, done / secondsSince()));
  const seconds = Math.round(1000 * secondsSince()) / 1000;
  for (const { path } of waiting.slice(begun)) isNew.delete(path);
  const added = [...isNew.values()].filter(Boolean).length;
  return { added, changed: isNew.size - added, removed, broken, left: waiting.length - begun, seconds };
}

async function bytesOf(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw ioError('read_failed', `cannot be read: ${messageOf(error)}`, error);
  });
}
