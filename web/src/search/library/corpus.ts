import type { SearchIndex } from 'quintet';

import { addTo, newIndex, search } from '../semantic_search.js';
import type { Passage } from '../texts/passage.js';
import { type CorpusInfo, type Found, hitOf, type Question } from './protocol.js';

/** Passages, and the index of those that have a vector so far. */
export class Corpus {
  /** How many passages `next` has handed out whose vectors have not come back yet. */
  private handedOut = 0;

  constructor(
    readonly own: boolean,
    readonly files: string[],
    /** Passages to index; none where the corpus was read together with its index. */
    private readonly waiting: readonly Passage[],
    private index: SearchIndex<Passage> | undefined,
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

  next(count: number): string[] {
    const first = this.index?.size ?? 0;
    const batch = this.waiting.slice(first, first + count);
    this.handedOut = batch.length;
    return batch.map(textToEmbed);
  }

  /** The vectors of the texts that `next` gave. */
  add(vectors: Float32Array): void {
    this.index ??= newIndex<Passage>(vectors.length / this.handedOut);
    addTo(this.index, this.waiting.slice(this.index.size, this.index.size + this.handedOut), vectors);
    this.handedOut = 0;
  }

  save(): Promise<Uint8Array> {
    return this.index!.save();
  }
}

const textToEmbed = ({ heading, text }: Passage): string => (heading ? `${heading}. ${text}` : text);
