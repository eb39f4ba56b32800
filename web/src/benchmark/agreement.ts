import type { Job } from './contestant.js';
import { cosine, largestAt } from './statistics.js';

/** Both compute in 8 bits, and round at different places. */
const LEAST_COSINE = 0.98;
/** Of ten drawings one may be a close call. */
const LEAST_SHARE = 0.9;

export interface Agreement {
  agrees: boolean;
  words: string;
}

/** Whether two libraries gave the same answers: only then it means something how fast they were. */
export function compare(job: Job, ours: Float32Array[], theirs: Float32Array[]): Agreement {
  if (job === 'pictures') {
    const same = ours.filter((logits, i) => largestAt(logits) === largestAt(theirs[i]!)).length;
    return { agrees: same >= LEAST_SHARE * theirs.length, words: `${same} of ${theirs.length} the same class` };
  }
  const least = Math.min(...theirs.map((vector, i) => cosine(ours[i]!, vector)));
  return { agrees: least >= LEAST_COSINE, words: `cosine ${theirs.length > 1 ? 'at least ' : ''}${least.toFixed(4)}` };
}
