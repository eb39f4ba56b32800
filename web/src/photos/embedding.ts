// One picture after another becomes a vector. Anything else is left out.

import type { ImageEmbedder } from 'quintet';

import type { PictureFile } from './picture_files.js';

export type Embedded = { picture: PictureFile } & ({ vector: Float32Array } | { error: unknown });

/** Every picture with its vector, or with its error. */
export async function* embedded(
  model: ImageEmbedder,
  pictures: readonly PictureFile[],
  signal: AbortSignal,
): AsyncGenerator<Embedded, void, undefined> {
  const results: Embedded[] = [];
  const left = [...pictures];
  const onError = (_: number, error: unknown) => results.push({ picture: left.shift()!, error });
  const files = pictures.map(({ file }) => file);
  for await (const vector of model.embedImageStream(files, { signal, onError })) {
    yield* results.splice(0);
    yield { picture: left.shift()!, vector };
  }
  yield* results;
}
