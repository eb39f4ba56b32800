/** The best k of many scored candidates. Ties are in the order in which the candidates were first added. */
export class TopK {
  // A heap whose root is the worst kept candidate.
  private readonly scores: number[] = [];
  private readonly orders: number[] = [];
  private readonly slots: number[] = [];

  /** Candidates with a score below this one are not kept. */
  floor = -Infinity;

  constructor(private readonly k: number) {}

  /** Whether a candidate would be kept. */
  wants(score: number, order: number): boolean {
    return this.slots.length < this.k || isWorse(this.scores[0]!, this.orders[0]!, score, order);
  }

  offer(score: number, order: number, slot: number): void {
    if (this.slots.length < this.k) this.siftUp(this.slots.length, score, order, slot);
    else if (this.wants(score, order)) this.siftDown(score, order, slot);
    if (this.slots.length === this.k) this.floor = this.scores[0]!;
  }

  /** The kept candidates, best first. */
  ranked(): { slot: number; score: number; order: number }[] {
    return this.slots
      .map((slot, i) => ({ slot, score: this.scores[i]!, order: this.orders[i]! }))
      .sort((a, b) => b.score - a.score || a.order - b.order);
  }

  private siftUp(at: number, score: number, order: number, slot: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isWorse(score, order, this.scores[parent]!, this.orders[parent]!)) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(at, score, order, slot);
  }

  private siftDown(score: number, order: number, slot: number): void {
    let at = 0;
    for (let child; (child = 2 * at + 1) < this.slots.length; at = child) {
      const other = child + 1;
      if (other < this.slots.length && this.isWorseAt(other, child)) child = other;
      if (!isWorse(this.scores[child]!, this.orders[child]!, score, order)) break;
      this.move(child, at);
    }
    this.put(at, score, order, slot);
  }

  private isWorseAt(a: number, b: number): boolean {
    return isWorse(this.scores[a]!, this.orders[a]!, this.scores[b]!, this.orders[b]!);
  }

  private move(from: number, to: number): void {
    this.put(to, this.scores[from]!, this.orders[from]!, this.slots[from]!);
  }

  private put(at: number, score: number, order: number, slot: number): void {
    this.scores[at] = score;
    this.orders[at] = order;
    this.slots[at] = slot;
  }
}

function isWorse(score: number, order: number, otherScore: number, otherOrder: number): boolean {
  return score < otherScore || (score === otherScore && order > otherOrder);
}
