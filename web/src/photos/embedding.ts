// One picture after another becomes a vector. Anything else is left out.

import { type ImageEmbedder, QuintetError } from 'quintet';

import type { PictureFile } from './picture_files.js';

export type Embedded = { picture: PictureFile } & ({ vector: Float32Array } | { error: unknown });

/** Every picture with its vector, or with its error. */
export async function* embedded(
  model: ImageEmbedder,
  pictures: readonly PictureFile[],
  signal: AbortSignal,
): AsyncGenerator<Embedded, void, undefined> {
  for (let next = 0; next < pictures.length; ) {
    const files = pictures.slice(next).map(({ file }) => file);
    try {
      for await (const vector of model.embedImageStream(files, { signal }))
        yield { picture: pictures[next++]!, vector };
    } catch (error) {
      signal.throwIfAborted();
      if (!isOfPicture(error)) throw error;
      // The next pictures are embedded without it.
      yield { picture: pictures[next++]!, error };
    }
  }
}

/** Otherwise no other picture would do better. */
const isOfPicture = (error: unknown): boolean =>
  error instanceof QuintetError && !['CLOSED', 'INTERNAL', 'ABORTED'].includes(error.code);
