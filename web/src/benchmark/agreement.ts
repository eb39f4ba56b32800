import type { Job } from './contestant.js';
import { cosine, largestAt } from './statistics.js';

/** Both compute in 8 bits, but round at different places. */
const LEAST_COSINE = 0.98;
/** One of the ten drawings may be a close call. */
const LEAST_SHARE = 0.9;

export interface Agreement {
  agrees: boolean;
  words: string;
}

/** Whether both libraries give the same answers: only then is their speed comparable. */
export function compare(job: Job, ours: Float32Array[], theirs: Float32Array[]): Agreement {
  if (job === 'pictures') {
    const same = ours.filter((logits, i) => largestAt(logits) === largestAt(theirs[i]!)).length;
    return { agrees: same >= LEAST_SHARE * theirs.length, words: `${same} of ${theirs.length} classes agree` };
  }
  const least = Math.min(...theirs.map((vector, i) => cosine(ours[i]!, vector)));
  return { agrees: least >= LEAST_COSINE, words: `cosine ${theirs.length > 1 ? 'at least ' : ''}${least.toFixed(4)}` };
}
