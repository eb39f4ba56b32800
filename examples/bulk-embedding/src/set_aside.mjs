// Jobs that failed at every attempt (poison messages).
import { writeAtomically } from './atomic_file.mjs';

const pageJobs = 100;

/** Writes set-aside.jsonl: the jobs of missing chunks that will not be retried. Returns their number. */
export async function writeSetAside(queue, run, missing) {
  let written = 0;
  async function* lines() {
    for await (const { data, attemptsMade, failedReason } of failedJobs(queue)) {
      // The shard may have been written before the worker died.
      if (!missing.has(data.chunk)) continue;
      written += 1;
      const { chunk, firstLine } = data;
      const lastLine = firstLine + data.lines - 1;
      yield `${JSON.stringify({ chunk, firstLine, lastLine, attempts: attemptsMade, reason: failedReason })}\n`;
    }
  }
  await writeAtomically(run.setAsidePath, lines());
  return written;
}

async function* failedJobs(queue) {
  for (let first = 0; ; first += pageJobs) {
    const page = await queue.getFailed(first, first + pageJobs - 1);
    yield* page;
    if (page.length < pageJobs) return;
  }
}
