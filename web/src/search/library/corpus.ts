import { SearchIndex } from 'quintet';

import type { Passage } from '../texts/passage.js';
import { hitOf, type CorpusInfo, type Found } from './protocol.js';

/** Passages and the index of those that have a vector already. */
export class Corpus {
  /** The first of the passages that have been handed out to be embedded but not come back. */
  private handedOut = 0;

  constructor(
    readonly own: boolean,
    readonly files: string[],
    /** Those that are to be indexed; a corpus that was read with its index has none. */
    private readonly waiting: readonly Passage[],
    private index: SearchIndex | undefined,
  ) {}

  get info(): CorpusInfo {
    const indexed = this.index?.size ?? 0;
    return { own: this.own, files: this.files, passages: Math.max(indexed, this.waiting.length), indexed };
  }

  get isWhole(): boolean {
    return this.info.indexed === this.info.passages;
  }

  search(vector: Float32Array, k: number): Found {
    const begin = performance.now();
    const hits = this.index?.search(vector, { k }).map(hitOf) ?? [];
    return { hits, searched: this.index?.size ?? 0, milliseconds: performance.now() - begin };
  }

  next(count: number): string[] {
    const first = this.index?.size ?? 0;
    const batch = this.waiting.slice(first, first + count);
    this.handedOut = batch.length;
    return batch.map(textToEmbed);
  }

  /** The vectors of what `next` gave. */
  add(vectors: Float32Array): void {
    const dimension = vectors.length / this.handedOut;
    this.index ??= new SearchIndex({ dimension, storage: 'int8' });
    for (let i = 0; i < this.handedOut; ++i) {
      const at = this.index.size;
      this.index.add(String(at), vectors.subarray(i * dimension, (i + 1) * dimension), this.waiting[at]);
    }
    this.handedOut = 0;
  }

  save(): Promise<Uint8Array> {
    return this.index!.save();
  }
}

const textToEmbed = ({ heading, text }: Passage): string => (heading ? `${heading}. ${text}` : text);
