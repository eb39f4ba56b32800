// Pictures among files: chosen ones, and those of folders.

import { Pauses } from '../shared/pauses.js';
import type { Picture } from './library/protocol.js';

/** A picture of this visit, which can be read. */
export interface PictureFile extends Picture {
  file: File;
}

export interface FoundPictures {
  pictures: PictureFile[];
  /** The name of a folder all of whose pictures these are. */
  folder?: string;
}

const endings = /\.(jpe?g|png|webp|gif|avif|bmp|hei[cf]|tiff?)$/i;

const isPicture = ({ name, type }: File): boolean =>
  endings.test(name) || (type.startsWith('image/') && type !== 'image/svg+xml');

function pictureFile(file: File, path: string): PictureFile {
  const { size, lastModified: modified } = file;
  return { id: `${path}\n${size}\n${modified}`, path, size, modified, file };
}

/** Browsers look up the size and the time of a chosen file when a page asks, so the page asks in turns. */
export async function picturesIn(files: readonly File[], signal: AbortSignal): Promise<FoundPictures> {
  const pictures: PictureFile[] = [];
  const pauses = new Pauses(10);
  for (const file of files) {
    if (isPicture(file)) pictures.push(pictureFile(file, file.webkitRelativePath || file.name));
    if (!pauses.isDue) continue;
    await pauses.pause();
    signal.throwIfAborted();
  }
  const folders = new Set(files.map(({ webkitRelativePath }) => webkitRelativePath.split('/')[0]!));
  const [folder] = folders;
  return folder && folders.size === 1 ? { pictures, folder } : { pictures };
}

/** Pictures of a folder and of the folders in it. `onFound` is told how many there are so far. */
export async function picturesOf(
  folder: FileSystemDirectoryHandle,
  onFound: (count: number) => void,
  signal: AbortSignal,
): Promise<FoundPictures> {
  const pictures: PictureFile[] = [];
  const walk = async (handle: FileSystemDirectoryHandle, path: string): Promise<void> => {
    for await (const entry of handle.values() as AsyncIterable<FileSystemDirectoryHandle | FileSystemFileHandle>) {
      signal.throwIfAborted();
      const within = `${path}/${entry.name}`;
      // Hidden folders hold private files of programs.
      if (entry.name.startsWith('.')) continue;
      if (entry.kind === 'directory') await walk(entry, within);
      else if (endings.test(entry.name)) {
        pictures.push(pictureFile(await entry.getFile(), within));
        onFound(pictures.length);
      }
    }
  };
  await walk(folder, folder.name);
  return { pictures, folder: folder.name };
}
