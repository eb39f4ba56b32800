// Sparse vectors in an inverted index: for each token the entries that have it, with its weight. The score of an entry
// is the dot product with the query.

import { grown } from '../growing.js';
import type { Choose, Offer } from '../top_k.js';

/** A vector by its elements above 0. */
export interface SparseElements {
  indices: Int32Array;
  values: Float32Array;
}

/** The entries with a token. */
interface Postings {
  slots: Uint32Array;
  weights: Float32Array;
  count: number;
}

export class SparseStorage {
  private readonly postings = new Map<number, Postings>();
  private readonly vectors: (SparseElements | undefined)[] = [];

  has(slot: number): boolean {
    return this.vectors[slot] !== undefined;
  }

  /** A copy of an entry's vector. */
  vectorOf(slot: number): SparseElements | undefined {
    const vector = this.vectors[slot];
    return vector && { indices: vector.indices.slice(), values: vector.values.slice() };
  }

  set(slot: number, { indices, values }: SparseElements): void {
    this.remove(slot);
    while (this.vectors.length < slot) this.vectors.push(undefined);
    this.vectors[slot] = { indices: indices.slice(), values: values.slice() };
    indices.forEach((token, i) => this.push(token, slot, values[i]!));
  }

  remove(slot: number): void {
    this.vectors[slot]?.indices.forEach((token) => {
      const list = this.postings.get(token)!;
      const at = list.slots.subarray(0, list.count).indexOf(slot);
      list.count -= 1;
      list.slots[at] = list.slots[list.count]!;
      list.weights[at] = list.weights[list.count]!;
      if (list.count === 0) this.postings.delete(token);
    });
    this.vectors[slot] = undefined;
  }

  /** Offers the entries that have a token of the query: there is nothing to choose before. */
  scan({ indices, values }: SparseElements, _k: number, _choose: Choose, offer: Offer): void {
    const scores = new Float64Array(this.vectors.length);
    indices.forEach((token, i) => {
      const list = this.postings.get(token);
      if (!list) return;
      const weight = values[i]!;
      for (let at = 0; at < list.count; ++at) scores[list.slots[at]!]! += weight * list.weights[at]!;
    });
    scores.forEach((score, slot) => {
      if (score > 0) offer(slot, score);
    });
  }

  private push(token: number, slot: number, weight: number): void {
    let list = this.postings.get(token);
    if (!list) this.postings.set(token, (list = { slots: new Uint32Array(4), weights: new Float32Array(4), count: 0 }));
    list.slots = grown(list.slots, list.count + 1);
    list.weights = grown(list.weights, list.count + 1);
    list.slots[list.count] = slot;
    list.weights[list.count++] = weight;
  }
}
