import type { Embedder, SearchHit, SearchIndex } from 'quintet';
import type { Passage } from '../texts/passage.js';
import { addPassages, newIndex, type SearchMode, search } from './semantic_search.js';

export interface Hit extends Passage {
  id: string | number;
  score: number;
}

export interface Question {
  text: string;
  vector: Float32Array;
  mode: SearchMode;
  /** The number of hits. */
  k: number;
}

export interface Found {
  hits: Hit[];
  /** Passages that were searched. */
  searched: number;
  milliseconds: number;
}

export interface CorpusInfo {
  /** Whether these are the visitor's own texts. */
  own: boolean;
  /** The files they were read from. */
  files: string[];
  passages: number;
  /** The number of texts that are indexed. */
  indexed: number;
}

export interface Indexing {
  signal: AbortSignal;
  onProgress(corpus: CorpusInfo): void;
}

/** Passages, and the index of those that have a vector so far. */
export class Corpus {
  constructor(
    readonly own: boolean,
    readonly files: string[],
    /** Passages to index; none where the corpus was read together with its index. */
    private readonly waiting: readonly Passage[],
    private index?: SearchIndex<Passage>,
  ) {}

  get info(): CorpusInfo {
    const indexed = this.index?.size ?? 0;
    return { own: this.own, files: this.files, passages: Math.max(indexed, this.waiting.length), indexed };
  }

  get isWhole(): boolean {
    return this.info.indexed === this.info.passages;
  }

  async search({ text, ...options }: Question): Promise<Found> {
    const begin = performance.now();
    const hits = this.index ? (await search(this.index, text, options)).map(hitOf) : [];
    return { hits, searched: this.index?.size ?? 0, milliseconds: performance.now() - begin };
  }

  /** Indexes the waiting passages. It can be searched meanwhile. */
  async fill(model: Embedder, { signal, onProgress }: Indexing): Promise<void> {
    this.index = newIndex<Passage>(model);
    await addPassages(this.index, this.waiting, { signal, onProgress: () => onProgress(this.info) });
  }

  save(): Promise<Uint8Array> {
    return this.index!.save();
  }
}

const hitOf = ({ id, score, payload }: SearchHit<Passage>): Hit => ({ ...payload!, id, score });
