// What the page and the worker that holds the texts say to each other.

import type { QuintetError, SearchHit } from 'quintet';

import type { Passage } from '../texts/passage.js';

export interface Hit extends Passage {
  id: string;
  score: number;
}

export interface CorpusInfo {
  /** Whether these are the visitor's own texts. */
  own: boolean;
  /** The files that it was made of. */
  files: string[];
  passages: number;
  /** How many of them have been indexed. */
  indexed: number;
}

export interface Found {
  hits: Hit[];
  /** Passages that were searched. */
  searched: number;
  milliseconds: number;
}

/** What the worker can be asked to do. */
export interface Library {
  /** The visitor's own corpus or, where there is none, the bundled one. `model` names the embedder, `bundled` is the address of a file. */
  open(model: string, bundled: string): Promise<{ corpus: CorpusInfo; note?: string }>;
  search(vector: Float32Array, k: number): Promise<Found>;
  /** Reads files into a new corpus, which is searched from now on; the old one stays until this one is kept. */
  read(files: File[]): Promise<{ corpus: CorpusInfo; notes: string[] }>;
  /** Texts to embed next, none when all are. */
  next(count: number): Promise<string[]>;
  /** Their vectors, one after another. */
  add(vectors: Float32Array): Promise<CorpusInfo>;
  /** Keeps the new corpus for later visits; gives its bytes. */
  keep(): Promise<number>;
  /** Gives up the new corpus and goes back to the one before. */
  discard(): Promise<CorpusInfo>;
  /** Deletes the visitor's texts and goes back to the bundled ones. */
  forget(): Promise<CorpusInfo>;
}

export type Call = { [Name in keyof Library]: { id: number; name: Name; args: Parameters<Library[Name]> } }[keyof Library];

/** Errors lose their class on the way. */
export interface Failure {
  kind: 'QuintetError' | 'QuotaExceededError' | 'Error';
  message: string;
  code?: QuintetError['code'];
  reason?: QuintetError['reason'];
}

export type Answer = { id: number; value: unknown } | { id: number; failure: Failure };

export const hitOf = ({ id, score, payload }: SearchHit): Hit => ({ id, score, ...(payload as Passage) });
