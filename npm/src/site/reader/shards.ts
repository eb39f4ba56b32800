// Files of one kind, loaded once each, by number.

export class Shards<T> {
  private readonly loaded = new Map<number, Promise<T>>();

  /** `max`: files that are kept; the one that was used longest ago goes first. */
  constructor(
    private readonly load: (number: number) => Promise<T>,
    private readonly max = 512,
  ) {}

  get(number: number): Promise<T> {
    const shard = this.loaded.get(number) ?? this.load(number);
    this.loaded.delete(number);
    this.loaded.set(number, shard);
    // The network may be back the next time.
    shard.catch(() => {
      if (this.loaded.get(number) === shard) this.loaded.delete(number);
    });
    if (this.loaded.size > this.max) this.loaded.delete(this.loaded.keys().next().value!);
    return shard;
  }
}

/** The file that has `value` in sorted order, given the first value of each file; -1 if it comes before all of them. */
export function fileAt<T extends string | number>(firsts: ArrayLike<T>, value: T): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firsts[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
