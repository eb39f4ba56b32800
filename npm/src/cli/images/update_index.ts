// Brings an index of pictures up to date.
import { readFile } from 'node:fs/promises';
import { images } from '#platform/images';
import { ioError, messageOf, QuintetError } from '../../base/errors.js';
import type { ImageEmbedder, RawImage } from '../../index.js';
import { exifDate } from './exif_date.js';
import type { PictureFile } from './picture_files.js';
import type { PictureIndex } from './picture_index.js';

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
  embedder: ImageEmbedder,
  folder: string,
  pictures: readonly PictureFile[],
  { onProgress, isStopped }: UpdateWatch,
): Promise<UpdateReport> {
  const report: UpdateReport = { added: 0, changed: 0, removed: 0, broken: [], left: 0, seconds: 0 };
  report.removed = index.keepOnly(pictures, folder);
  const waiting = pictures.filter((picture) => index.stateOf(picture) !== 'known');
  const started = performance.now();
  const decoded: { picture: PictureFile; taken: string | undefined }[] = [];
  let begun = 0;

  async function* pixels(): AsyncGenerator<RawImage> {
    for (const picture of waiting) {
      if (isStopped()) return;
      begun += 1;
      try {
        const bytes = await bytesOf(picture.path);
        // Decoded here, while the worker of the model computes, and so that one broken file does not end the stream.
        const image = (await images.decode(bytes)) as RawImage;
        decoded.push({ picture, taken: exifDate(bytes) });
        yield image;
      } catch (error) {
        if (!(error instanceof QuintetError)) throw error;
        report.broken.push({ path: picture.path, error });
        index.remove(picture.path);
      }
    }
  }

  for await (const vector of embedder.embedImageStream(pixels())) {
    const { picture, taken } = decoded.shift()!;
    if (index.stateOf(picture) === 'new') report.added += 1;
    else report.changed += 1;
    index.set(picture, taken, vector);
    const done = report.added + report.changed;
    const seconds = (performance.now() - started) / 1000;
    onProgress(done + report.broken.length, waiting.length, done / seconds);
  }
  report.left = waiting.length - begun;
  report.seconds = Math.round(performance.now() - started) / 1000;
  return report;
}

async function bytesOf(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw ioError('read_failed', `cannot be read: ${messageOf(error)}`, error);
  });
}
