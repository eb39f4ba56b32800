// Peak memory of producer and collector, for corpora of very short texts.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { writeAtomically } from '../../examples/bulk-embedding/src/atomic_file.mjs';
import { LocalRun } from '../../examples/bulk-embedding/src/local_run.mjs';
import { NODE_24 } from '../shared/paths.mjs';

const WORDS = 'river stone light bread winter music engine garden paper silver cloud market'.split(' ');

/** @returns {Promise<{ lines: number, producer: number, collector: number }>} bytes */
export async function measureMemory(lines, workers) {
  const local = await LocalRun.open({ node: NODE_24 });
  try {
    const corpus = join(local.folder, 'corpus.jsonl');
    await writeAtomically(corpus, shortLines(lines));
    const producer = await peakOf(local.start('produce', ['--corpus', corpus]));
    for (let i = 0; i < workers; ++i) local.start('work').stdout.resume();
    const collector = await peakOf(local.start('collect', [], { stderr: 'ignore' }));
    return { lines, producer, collector };
  } finally {
    await local.close();
  }
}

function* shortLines(count) {
  const word = (i) => WORDS[i % WORDS.length];
  for (let i = 0; i < count; ++i) yield `${JSON.stringify({ id: i, text: `${word(i)} ${word(i / WORDS.length | 0)} ${i}` })}\n`;
}

async function peakOf(child) {
  child.stdout.resume();
  const ended = once(child, 'close');
  let peak = 0;
  for (let running = true; running; ) {
    running = await Promise.race([ended.then(() => false), wait(100, true)]);
    peak = Math.max(peak, await highWaterMark(child.pid));
  }
  const [status] = await ended;
  if (status !== 0) throw new Error(`a program ended with status ${status}`);
  return peak;
}

/** VmHWM of Linux: the most that was ever resident. 0 when the process has ended. */
async function highWaterMark(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}
