// Whether the contestants compute the same.
import { COMPARED_PICTURES } from '../workload.mjs';

/** Logits of every compared picture by contestant's name. */
export async function collectLogits(stages) {
  const logits = {};
  for (const { contestant, call } of stages) {
    logits[contestant.name] = [];
    for (const seed of COMPARED_PICTURES) {
      await call('setPicture', seed);
      logits[contestant.name].push(await call('logits'));
    }
  }
  return logits;
}
