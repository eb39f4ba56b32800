// Repeats a computation for long enough to time it, and checks that it always gives the same answer.
import { QuintetError } from '../../base/errors.js';

const LEAST_MS = 600;
const LEAST_RUNS = 5;
/** A first run this long needs no repetition. */
const LONG_MS = 2000;

export interface TimedRun {
  /** Times in milliseconds, of one or more parts of the run. */
  ms: number[];
  answer: Float32Array;
}

export interface Timing {
  /** Medians. */
  ms: number[];
  answer: Float32Array;
}

export async function timed(run: () => Promise<TimedRun>): Promise<Timing> {
  const started = performance.now();
  const first = await run();
  const firstMs = performance.now() - started;
  if (firstMs >= LONG_MS) return first;
  // The first run was to warm up.
  const runs: TimedRun[] = [];
  const end = performance.now() + LEAST_MS;
  while (performance.now() < end || (runs.length < LEAST_RUNS && performance.now() < end + LONG_MS)) {
    const next = await run();
    if (!sameValues(next.answer, first.answer)) throw unstable();
    runs.push(next);
  }
  const medians = first.ms.map((_, part) => median(runs.map(({ ms }) => ms[part]!)));
  return { ms: medians, answer: first.answer };
}

/** The time of one call, with its answer. */
export async function timedCall(call: () => Promise<Float32Array>): Promise<TimedRun> {
  const started = performance.now();
  const answer = await call();
  return { ms: [performance.now() - started], answer };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

function sameValues(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

function unstable(): QuintetError {
  return new QuintetError('INTERNAL', 'the same input gave two different results', { reason: 'mismatch' });
}
