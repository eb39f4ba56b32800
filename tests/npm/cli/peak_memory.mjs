// How much memory a run holds at most.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { start } from './quintet.mjs';

const observer = fileURLToPath(new URL('./resident_memory.mjs', import.meta.url));

/** Feeds `blocks` as the run takes them: { status, lines of stdout, megabytes }. */
export async function peakMemory(args, blocks, reportFile) {
  const child = start(args, {
    // A small nursery: its growth is the collector's choice and says nothing of what is kept.
    nodeOptions: ['--max-semi-space-size=1', '--import', observer],
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

export function* repeated(block, times) {
  for (let i = 0; i < times; i++) yield block;
}
