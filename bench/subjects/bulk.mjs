// examples/bulk-embedding in Node 24: two workers compared with one, and a worker compared with the same work without a
// queue. With --memory, the peak memory of producer and collector for a hundredth and a tenth of LINES lines, and for
// all of them.
//   [--passages N] [--memory LINES]
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { writeAtomically } from '../../examples/bulk-embedding/src/atomic_file.mjs';
import { LocalRun } from '../../examples/bulk-embedding/src/local_run.mjs';
import { writeRepeatedCorpus } from '../../examples/bulk-embedding/src/repeated_corpus.mjs';
import { corpus as bundledCorpus } from '../../models/index.js';
import { onFreshStage } from '../harness/environments.mjs';
import { agreement, atLeast, MEGABYTE, verdict } from '../harness/lines.mjs';
import { NODE_24, REPOSITORY } from '../harness/paths.mjs';
import { alternate } from '../harness/rounds.mjs';
import { mapValues, summary } from '../harness/statistics.mjs';

export const options = { passages: { type: 'string' }, memory: { type: 'string' } };
export const paces = { full: { rounds: 4, passages: 5120 }, quick: { rounds: 2, passages: 2048 } };

const TARGETS = { twoWorkers: atLeast(1.85), queue: atLeast(0.97) };
// Node's heap uses memory that is free; a million vectors and their places would be 300 MB and more.
const LEEWAY = 64 * MEGABYTE;

const MODULE = join(import.meta.dirname, '../contestants/bulk.mjs');
const MODEL = join(REPOSITORY, 'models/embedder-int8.weights');

export async function measure({ pace, options }) {
  if (options.memory !== undefined) return { memory: await measureMemory(Number(options.memory)) };
  const passages = Number(options.passages ?? pace.passages);
  const writeCorpus = (path) => writeRepeatedCorpus(path, bundledCorpus, passages);
  const runs = await alternate(pace.rounds, {
    direct: () => inRun(writeCorpus, embedDirectly),
    one: () => inRun(writeCorpus, embedByWorkers(1)),
    two: () => inRun(writeCorpus, embedByWorkers(2)),
  });
  const digests = new Set(
    Object.values(runs)
      .flat()
      .map(({ digest }) => digest),
  );
  const seconds = mapValues(runs, (samples) => summary(samples.map((sample) => sample.seconds)));
  return { passages, seconds, sameShards: digests.size === 1 };
}

/** A corpus embedded in one way or another, from nothing to shards: { seconds, digest }, `digest` of all shards. */
async function inRun(writeCorpus, embed) {
  const local = await LocalRun.open({ node: NODE_24 });
  try {
    const corpus = join(local.folder, 'corpus.jsonl');
    await writeCorpus(corpus);
    const { status } = await local.run('produce', ['--corpus', corpus]);
    if (status !== 0) throw new Error(`the producer ended with status ${status}`);
    const seconds = await embed(local, corpus);
    return { seconds, digest: await digestOf(join(local.folder, local.name, 'shards')) };
  } finally {
    await local.close();
  }
}

/** One process, no queue. */
const embedDirectly = (local, corpus) =>
  onFreshStage('node', MODULE, async ({ call }) => {
    await call('open', 'direct');
    return call('embedAll', local.folder, local.name, corpus, MODEL);
  });

/** The queue and its workers: from the beginning of the first job to the end of the last. */
const embedByWorkers = (workers) => async (local) => {
  for (let i = 0; i < workers; ++i) local.start('work').stdout.resume();
  const { status, stdout } = await local.run('collect', [], { stderr: 'ignore' });
  if (status !== 0) throw new Error(`the collector ended with status ${status}`);
  return JSON.parse(stdout).seconds;
};

async function digestOf(folder) {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}

/** Bytes, by corpora of very short texts that grow. */
async function measureMemory(lines) {
  const sizes = [];
  for (const part of [100, 10, 1]) {
    sizes.push(await peaksFor(Math.round(lines / part)));
    console.error(JSON.stringify(sizes.at(-1)));
  }
  return sizes;
}

async function peaksFor(lines) {
  const local = await LocalRun.open({ node: NODE_24 });
  try {
    const corpus = join(local.folder, 'corpus.jsonl');
    await writeAtomically(corpus, shortLines(lines));
    const producer = await peakOf(local.start('produce', ['--corpus', corpus]));
    for (let i = 0; i < 2; ++i) local.start('work').stdout.resume();
    const collector = await peakOf(local.start('collect', [], { stderr: 'ignore' }));
    return { lines, producer, collector };
  } finally {
    await local.close();
  }
}

const WORDS = 'river stone light bread winter music engine garden paper silver cloud market'.split(' ');

function* shortLines(count) {
  const word = (i) => WORDS[i % WORDS.length];
  for (let i = 0; i < count; ++i) {
    yield `${JSON.stringify({ id: i, text: `${word(i)} ${word((i / WORDS.length) | 0)} ${i}` })}\n`;
  }
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

export function sections({ memory, ...throughput }) {
  return memory
    ? [{ title: 'peak memory, beside that for the smallest corpus, MB', lines: memoryLines(memory) }]
    : [{ title: 'throughput: passages a second, best / median', lines: throughputLines(throughput) }];
}

// By the best of each: other work on the machine slows two workers more than one.
function throughputLines({ passages, seconds: { direct, one, two }, sameShards }) {
  const rate = ({ best, median }) => `${(passages / best).toFixed(1)} / ${(passages / median).toFixed(1)}`;
  const line = (what, ours, other, target) => {
    const ratio = other.best / ours.best;
    return { what, quintet: rate(ours), peer: rate(other), ratio, ...verdict(target, ratio) };
  };
  return [
    line('two workers beside one', two, one, TARGETS.twoWorkers),
    line('the queue beside no queue', one, direct, TARGETS.queue),
    agreement('the same shards in all runs', sameShards),
  ];
}

function memoryLines([least, ...others]) {
  const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);
  return [least, ...others].flatMap(({ lines, ...programs }) =>
    Object.entries(programs).map(([program, bytes]) => ({
      what: `${program}, ${lines} lines`,
      quintet: megabytes(bytes),
      peer: megabytes(least[program]),
      target: `< ${megabytes(least[program] + LEEWAY)}`,
      met: bytes < least[program] + LEEWAY,
    })),
  );
}
