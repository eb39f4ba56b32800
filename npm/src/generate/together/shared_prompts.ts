// Prompts that are computed together, such as questions after the same instructions: their common beginning is computed
// once.

import { abortable } from '../../base/abort.js';
import type { SessionHost } from '../session/host.js';

/** Fewer tokens are quicker to compute than to share. */
const minShared = 16;

function commonLength(a: Int32Array, b: Int32Array): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) ++length;
  return length;
}

/**
 * Starts from what another session has computed of the same ids, or is computing now, and lets others start from this.
 */
export async function generateShared<T>(
  host: SessionHost,
  ids: Int32Array,
  sessions: ReadonlyMap<number, SessionHost>,
  signal: AbortSignal | undefined,
  generate: () => Promise<T>,
): Promise<T> {
  const others = () => [...sessions.values()].filter((other) => other !== host && other.isShared);
  const most = () => Math.max(...[host, ...others()].map((other) => other.reusable(ids)));
  host.throwIfClosed();
  const enough = most() + minShared;
  const isWorthWaiting = ({ sharedPrompt }: SessionHost) =>
    sharedPrompt !== undefined && commonLength(sharedPrompt.ids, ids) >= enough;
  const computing = others().find(isWorthWaiting);
  if (computing) {
    await abortable(computing.sharedPrompt!.ended, signal).catch(() => {});
    host.throwIfClosed();
  }
  const own = host.reusable(ids);
  const best = others().find((other) => other.reusable(ids) === most());
  if (best && most() >= own + minShared) host.adopt(best);
  host.isShared = true;
  return generate();
}
