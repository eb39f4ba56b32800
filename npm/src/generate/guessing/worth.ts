// Whether guesses are worth their cost: moving averages of the time of passes and of the success of guesses.

/**
 * Rows of a pass, a token and its guesses, and how long such a pass takes compared with one of a single row. Kernels
 * have tiles of 1, 2 and 4 rows. The times are those of an int4 model of 1.1 billion weights, until they are measured.
 */
const expectedCosts = [
  { rows: 1, cost: 1 },
  { rows: 2, cost: 1.35 },
  { rows: 4, cost: 2.25 },
  { rows: 8, cost: 4.3 },
  { rows: 16, cost: 8.4 },
];

/** Maximum number of guesses of a pass. */
export const maxGuesses = expectedCosts.at(-1)!.rows - 1;

/** The minimum gain of guesses. Below it, they do not make up for the wrong ones. */
const minGain = 1.05;

/** The time that passes take in this session. */
export class PassCosts {
  /** In milliseconds, by the number of rows. */
  private readonly measured = new Map<number, number>();

  add(rows: number, ms: number): void {
    if (!expectedCosts.some((row) => row.rows === rows)) return;
    const known = this.measured.get(rows) ?? ms;
    // A pause of the machine does not count as the time of a pass.
    this.measured.set(rows, known + 0.25 * (Math.min(ms, 1.5 * known) - known));
  }

  /** In passes of one row. */
  of(rows: number): number {
    const above = expectedCosts.findIndex((row) => row.rows >= rows);
    const cost = this.costAt(above);
    const { rows: rowsAbove } = expectedCosts[above]!;
    if (rowsAbove === rows) return cost;
    const { rows: rowsBelow } = expectedCosts[above - 1]!;
    const below = this.costAt(above - 1);
    return below + ((cost - below) * (rows - rowsBelow)) / (rowsAbove - rowsBelow);
  }

  /** The time in passes of one row; 0 while it is unknown. */
  inPasses(ms: number): number {
    const single = this.measured.get(1);
    return single ? ms / single : 0;
  }

  private costAt(index: number): number {
    const { rows, cost } = expectedCosts[index]!;
    const [one, measured] = [this.measured.get(1), this.measured.get(rows)];
    return one && measured ? measured / one : cost;
  }
}

/** The share of guesses of one kind that were right; recent ones count most. */
export class Accuracy {
  private right: number;
  private all: number;

  constructor(
    private readonly expected: number,
    private readonly weight: number,
  ) {
    this.right = expected * weight;
    this.all = weight;
  }

  get value(): number {
    return this.right / this.all;
  }

  add(isRight: boolean): void {
    const memory = 0.95;
    this.right = memory * this.right + (isRight ? 1 : 0);
    this.all = memory * this.all + 1;
  }

  /** The averages fade while nothing is guessed, so that guessing is tried again. */
  fade(): void {
    const memory = 0.98;
    this.right = memory * this.right + (1 - memory) * this.expected * this.weight;
    this.all = memory * this.all + (1 - memory) * this.weight;
  }
}

export interface Offer {
  count: number;
  /** Tokens of such a pass compared with those of passes of one row in the same time. */
  gain: number;
}

/**
 * The number of `available` guesses to compute; 0 if one token after another is as fast. `each`: the cost of a guess.
 */
export function bestOffer({ value: right }: Accuracy, available: number, costs: PassCosts, each = 0): Offer {
  let best = { count: 0, gain: minGain };
  for (const { rows } of expectedCosts) {
    const count = Math.min(available, rows - 1);
    if (count === 0) continue;
    // The token after the last right guess comes with the pass: 1 + p + p^2 + ... + p^count.
    const tokens = right === 1 ? count + 1 : (1 - right ** (count + 1)) / (1 - right);
    const gain = tokens / (costs.of(count + 1) + count * each);
    if (gain > best.gain) best = { count, gain };
    if (count < rows - 1) break;
  }
  return best;
}
