// Guesses from the text itself: if its latest tokens occurred before, what followed then may follow again (prompt
// lookup decoding, Saxena 2023, github.com/apoorvumang/prompt-lookup-decoding).

/** Number of tokens that must occur again. */
const minMatch = 3;

/** Entries of the table, a power of 2: one for each token of most contexts. Later tokens replace earlier ones. */
const tableSize = 1 << 15;

export class PromptLookup {
  private ids = new Int32Array(1024);
  private length = 0;
  /** For each hash of `minMatch` tokens, the position after their last occurrence; 0 for none. */
  private readonly positions = new Int32Array(tableSize);
  /** The position of what may follow next, after `matched` tokens; 0 for none. */
  private next = 0;
  matched = 0;

  /** Whether the last token that was added is the expected one; undefined if none was expected. */
  wasExpected: boolean | undefined;

  add(id: number): void {
    const hadNext = this.next > 0;
    this.wasExpected = hadNext ? this.ids[this.next] === id : undefined;
    if (this.length === this.ids.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.ids);
      this.ids = longer;
    }
    this.ids[this.length++] = id;
    if (this.wasExpected) {
      ++this.next;
      ++this.matched;
    } else this.next = this.matched = 0;
    if (this.length < minMatch) return;
    const place = this.placeOf(this.length);
    if (this.next === 0) this.match(this.positions[place]!);
    this.positions[place] = this.length;
  }

  /** The tokens after an earlier occurrence of the latest ones, at most `count`. */
  guesses(count: number): Int32Array {
    const { ids, next, length } = this;
    if (next === 0) return new Int32Array();
    // If the text repeats itself, it continues with the guess.
    const period = length - next;
    return Int32Array.from({ length: count }, (_, i) => ids[next + (i % period)]!);
  }

  private match(position: number): void {
    if (position === 0) return;
    let matched = 0;
    while (matched < position && this.ids[position - 1 - matched] === this.ids[this.length - 1 - matched]) ++matched;
    if (matched < minMatch) return;
    this.next = position;
    this.matched = matched;
  }

  private placeOf(end: number): number {
    let hash = 0;
    for (let i = end - minMatch; i < end; ++i) hash = Math.imul(hash ^ this.ids[i]!, 0x9e3779b1) ^ (hash >>> 15);
    return (hash ^ (hash >>> 16)) & (tableSize - 1);
  }
}
