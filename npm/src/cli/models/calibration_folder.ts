// The pictures of a folder, one after another.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputError } from '../../base/errors.js';

const PICTURE = /\.(jpe?g|png)$/i;

/** JPEG and PNG files by name, each time anew. */
export function calibrationImages(folder: string): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      const names = (await readdir(folder)).filter((name) => PICTURE.test(name)).sort();
      if (names.length === 0) throw inputError('missing', `${folder} has no *.jpg, *.jpeg or *.png`);
      for (const name of names) yield new Uint8Array(await readFile(join(folder, name)));
    },
  };
}
