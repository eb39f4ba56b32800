// The messages between the page and the worker that holds the texts.

import type { SearchHit } from 'quintet';

import type { SearchMode } from '../semantic_search.js';
import type { Passage } from '../texts/passage.js';

export interface Hit extends Passage {
  id: string | number;
  score: number;
}

export interface Question {
  text: string;
  vector: Float32Array;
  mode: SearchMode;
  /** How many hits. */
  k: number;
}

export interface CorpusInfo {
  /** Whether these are the visitor's own texts. */
  own: boolean;
  /** The files they were read from. */
  files: string[];
  passages: number;
  /** How many of them are indexed. */
  indexed: number;
}

export interface Found {
  hits: Hit[];
  /** Passages that were searched. */
  searched: number;
  milliseconds: number;
}

/** What the worker does. */
export interface Library {
  /**
   * Opens the visitor's own corpus or, if there is none, the bundled one. `model` is the name of the embedder; `bundled` the
   * URL of an index and the name of the embedder that made it.
   */
  open(model: string, bundled: { url: string; model: string }): Promise<{ corpus: CorpusInfo; note?: string }>;
  search(question: Question): Promise<Found>;
  /** Reads files into a new corpus, which is searched from now on. The old one stays until the new one is saved. */
  read(files: File[]): Promise<{ corpus: CorpusInfo; notes: string[] }>;
  /** The texts to embed next; none when all are embedded. */
  next(count: number): Promise<string[]>;
  /** Their vectors, row after row. */
  add(vectors: Float32Array): Promise<CorpusInfo>;
  /** Saves the new corpus for later visits and returns its size in bytes. */
  keep(): Promise<number>;
  /** Drops the new corpus and goes back to the one before. */
  discard(): Promise<CorpusInfo>;
  /** Deletes the visitor's texts and goes back to the bundled ones. */
  forget(): Promise<CorpusInfo>;
}

export const hitOf = ({ id, score, payload }: SearchHit<Passage>): Hit => ({ ...payload, id, score });
