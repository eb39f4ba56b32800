// The peak memory of a run, and its growth with the input.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { start } from '../../helpers/quintet.mjs';

const observer = fileURLToPath(new URL('../../helpers/resident_memory.mjs', import.meta.url));

/** Feeds `blocks` as the run reads them: { status, lines of stdout, megabytes }. */
export async function peakMemory(args, blocks, reportFile) {
  const child = start(args, {
    // A heap of a fixed size: how far it grows before it is collected is the collector's choice and shows nothing of
    // what is kept. It is collected in one thread: with a heap this small Node 24 sometimes waits for ever, at its
    // exit, for a thread of the collector (WorkerThreadsTaskRunner::Shutdown).
    nodeOptions: ['--single-threaded-gc', '--max-semi-space-size=1', '--max-old-space-size=64', '--import', observer],
    env: { PEAK_MEMORY_FILE: reportFile },
  });
  let lines = 0;
  child.stdout.on('data', (chunk) => (lines += chunk.filter((byte) => byte === 10).length));
  child.stderr.resume();
  for (const block of blocks) if (!child.stdin.write(block)) await once(child.stdin, 'drain');
  child.stdin.end();
  const [status] = await once(child, 'close');
  return { status, lines, megabytes: Number(readFileSync(reportFile, 'utf8')) / 1024 };
}

/**
 * Bytes that a run holds more for each unit of its input: the median of the slopes between all pairs of `sizes` (Theil
 * and Sen). The memory that every run needs cancels out, and a single wrong measurement changes little.
 */
export async function growthPerUnit(sizes, run) {
  const points = [];
  for (const size of sizes) points.push({ size, megabytes: (await run(size)).megabytes });
  const slopes = points.flatMap((to, i) =>
    points.slice(0, i).map((from) => (to.megabytes - from.megabytes) / (to.size - from.size)),
  );
  slopes.sort((a, b) => a - b);
  const middle = (slopes.length - 1) / 2;
  return ((slopes[Math.floor(middle)] + slopes[Math.ceil(middle)]) / 2) * 2 ** 20;
}

export function* repeated(block, times) {
  for (let i = 0; i < times; i++) yield block;
}
