interface Ranked {
  score: number;
  order: number;
}

interface Candidate extends Ranked {
  slot: number;
}

/** The best k of many scored candidates. Ties are in the order in which the candidates were first added. */
/** Receives an entry with its score. */
export type Offer = (slot: number, score: number) => void;

/** Makes a list for the best `k` of the entries that are offered to it. */
export type Choose = (k: number) => { best: TopK; offer: Offer };

export class TopK {
  /** The root is the worst candidate that is kept. */
  private readonly heap: Candidate[] = [];

  /** Candidates with a score below this one are not kept. */
  floor = -Infinity;

  constructor(private readonly k: number) {}

  /** Whether a candidate would be kept. */
  wants(score: number, order: number): boolean {
    return this.heap.length < this.k || isWorse(this.heap[0]!, { score, order });
  }

  offer(score: number, order: number, slot: number): void {
    const candidate = { score, order, slot };
    if (this.heap.length < this.k) this.siftUp(candidate);
    else if (isWorse(this.heap[0]!, candidate)) this.siftDown(candidate);
    if (this.heap.length === this.k) this.floor = this.heap[0]!.score;
  }

  /** The kept candidates, best first. */
  ranked(): Candidate[] {
    return [...this.heap].sort((a, b) => (isWorse(a, b) ? 1 : -1));
  }

  private siftUp(candidate: Candidate): void {
    const { heap } = this;
    let at = heap.length;
    for (let parent; at > 0 && isWorse(candidate, heap[(parent = (at - 1) >> 1)]!); at = parent) {
      heap[at] = heap[parent]!;
    }
    heap[at] = candidate;
  }

  /** Puts a candidate in place of the root. */
  private siftDown(candidate: Candidate): void {
    const { heap } = this;
    let at = 0;
    for (let child; (child = 2 * at + 1) < heap.length; at = child) {
      if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!)) ++child;
      if (!isWorse(heap[child]!, candidate)) break;
      heap[at] = heap[child]!;
    }
    heap[at] = candidate;
  }
}

const isWorse = (one: Ranked, other: Ranked): boolean =>
  one.score < other.score || (one.score === other.score && one.order > other.order);
