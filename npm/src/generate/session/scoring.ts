// Scores texts by a model's predictions, in the thread of its engine. Loaded with the first score.

import { throwIfAborted } from '../../base/abort.js';
import { inputError } from '../../base/errors.js';
import { unwrap } from '../../engine/native.js';
import type { CallContext } from '../../worker/calls.js';
import type { PerplexityScore } from '../types.js';
import type { SessionHost } from './host.js';

interface Score {
  sum: number;
  count: number;
}

/**
 * Sum of -ln p over all ids but the first, and their number. `afterHeld`: given the content of the session, of which
 * no token may be pending. `onStep` is called with the number of tokens done.
 */
function score(
  session: SessionHost,
  ids: Int32Array,
  afterHeld: boolean,
  watch: CallContext,
  onStep: (done: number) => void,
): Promise<Score> {
  const { native } = session;
  return session.run(async () => {
    const total = session.call(() => unwrap(native.beginScoring(ids, afterHeld)));
    await session.complete(total, watch, (left) => onStep(total - left));
    return session.call(() => unwrap(native.scores()));
  });
}

function checkLength(ids: Int32Array, least: number, { signal }: CallContext): void {
  throwIfAborted(signal);
  if (ids.length < least) throw inputError('missing', 'perplexity: the text has no token to predict');
}

const perplexityOf = ({ sum, count }: Score): PerplexityScore => ({ perplexity: Math.exp(sum / count), tokens: count });

/** The perplexity of a text alone, which becomes the content of the session. */
export async function perplexity(
  session: SessionHost,
  ids: Int32Array,
  contextLength: number,
  watch: CallContext,
): Promise<PerplexityScore> {
  checkLength(ids, 2, watch);
  const all: Score = { sum: 0, count: 0 };
  // A last part of a single token has nothing to predict.
  for (let at = 0; at < ids.length - 1; at += contextLength) {
    const part = ids.subarray(at, at + contextLength);
    const { sum, count } = await score(session, part, false, watch, (done) => watch.onEvent?.([at + done, ids.length]));
    all.sum += sum;
    all.count += count;
  }
  return perplexityOf(all);
}

/**
 * The perplexity of a text after the content of the session, which does not change. If there is any content, the first
 * id is scored too.
 */
export async function perplexityAfter(
  session: SessionHost,
  ids: Int32Array,
  watch: CallContext,
): Promise<PerplexityScore> {
  checkLength(ids, session.isEmpty ? 2 : 1, watch);
  const onStep = (done: number) => watch.onEvent?.([done, ids.length]);
  await session.computeWaiting(watch);
  if (session.isEmpty) return perplexityOf(await score(session, ids, false, watch, onStep));
  // The fork may compute the last token again to get its logits; key and value in this session do not change.
  const fork = session.fork();
  try {
    const logits = await fork.nextLogits(watch);
    const { sum, count } = await score(fork, ids, true, watch, (done) => {
      session.throwIfClosed();
      onStep(done);
    });
    return perplexityOf({ sum: sum + surprise(logits, ids[0]!), count: count + 1 });
  } finally {
    fork.close();
  }
}

/** -ln p of an id. */
function surprise(logits: Float32Array, id: number): number {
  const top = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - top), 0);
  return top + Math.log(sum) - logits[id]!;
}

/** The logits after each of the ids, row by row. */
export function allLogits(session: SessionHost, ids: Int32Array, watch: CallContext): Promise<Float32Array> {
  const { native } = session;
  return session.run(async () => {
    const rows: Float32Array[] = [];
    const left = session.call(() => unwrap(native.beginScoring(ids, false)));
    await session.complete(left, watch, () => rows.push(session.call(() => native.takeLogits().slice())));
    return joined(rows);
  });
}

function joined(rows: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const row of rows) {
    all.set(row, at);
    at += row.length;
  }
  return all;
}
