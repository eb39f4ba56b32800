// The images of a folder, one after another.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inputError } from '../../base/errors.js';

const PICTURE = /\.(jpe?g|png)$/i;

/** JPEG and PNG files in the order of their names; can be iterated more than once. */
export function calibrationImages(folder: string): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      const names = (await readdir(folder)).filter((name) => PICTURE.test(name)).sort();
      if (names.length === 0) throw inputError('missing', `${folder} has no *.jpg, *.jpeg or *.png files`);
      for (const name of names) yield new Uint8Array(await readFile(join(folder, name)));
    },
  };
}
