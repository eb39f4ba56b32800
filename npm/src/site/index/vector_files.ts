// Computes the files with a language's vectors: all that follows once its passages are known, in any thread.

import type { VectorsEntry } from '../format/files.js';
import type { PassagePlaces } from './cluster_files.js';
import { type PassageWordParts, PassageWords } from './passage_words.js';
import { type ListedWords, SiteVectors, type SiteVectorsParts } from './site_vectors.js';
import { CollectedFiles, type StoredFile } from './stored_file.js';

export interface VectorJob {
  vectors: SiteVectors;
  /** Passages without a vector yet, and where they are. */
  waiting: PassageWords;
  places: PassagePlaces;
  listed: ListedWords;
}

export interface VectorFiles {
  /** Undefined if there are no vectors. */
  entry: Omit<VectorsEntry, 'model'> | undefined;
  files: StoredFile[];
}

/** A job as another thread receives it. */
export interface SentJob {
  vectors: SiteVectorsParts;
  waiting: PassageWordParts;
  places: PassagePlaces;
  listed: ListedWords;
}

/** The buffers are handed over: the job cannot be used again. */
export function sentJob({ vectors, waiting, places, listed }: VectorJob): [job: SentJob, buffers: ArrayBuffer[]] {
  const job = { vectors: vectors.parts, waiting: waiting.parts, places, listed };
  const pieces = [...job.vectors.words.pieces, ...job.vectors.passages.pieces, ...job.waiting.pieces, listed];
  const arrays = pieces.flatMap((piece) => Object.values(piece)).filter((each) => ArrayBuffer.isView(each));
  return [job, arrays.map(({ buffer }) => buffer as ArrayBuffer)];
}

export const receivedJob = ({ vectors, waiting, places, listed }: SentJob): VectorJob => ({
  vectors: SiteVectors.of(vectors),
  waiting: PassageWords.of(waiting),
  places,
  listed,
});

export async function vectorFiles({ vectors, waiting, places, listed }: VectorJob): Promise<VectorFiles> {
  vectors.settle(waiting, places);
  const folder = new CollectedFiles();
  return { entry: await vectors.write(listed, folder), files: folder.files };
}
