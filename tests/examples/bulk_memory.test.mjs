// Producer and collector take the same memory for any corpus.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { SearchIndex } from 'quintet';
import { chunksOf } from '../../examples/bulk-embedding/src/chunks.mjs';
import { LocalRun } from '../../examples/bulk-embedding/src/local_run.mjs';
import { openQueue } from '../../examples/bulk-embedding/src/queue.mjs';
import { Run, runKey } from '../../examples/bulk-embedding/src/run.mjs';
import { writeShard } from '../../examples/bulk-embedding/src/shard.mjs';

const dimension = 64;
// The variation due to Node's garbage collector. 180,000 passages more, if they were kept, would be 12 MB of vectors
// and twice that of objects.
const leeway = 24;

const programPath = (name) => fileURLToPath(new URL(`../../examples/bulk-embedding/src/${name}.mjs`, import.meta.url));
const observer = fileURLToPath(new URL('../npm/helpers/resident_memory.mjs', import.meta.url));

/** Runs a program to its end; gives the most memory that it had, in MB. */
async function peakOf(local, name, args) {
  const report = join(local.root, 'peak');
  const common = ['--folder', local.folder, '--run', local.name, '--redis', local.redis.url];
  // A small nursery: its growth is the collector's choice and shows nothing of what is kept.
  const flags = ['--max-semi-space-size=1', '--import', observer];
  const child = spawn(process.execPath, [...flags, programPath(name), ...common, ...args], {
    env: { ...process.env, PEAK_MEMORY_FILE: report },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.resume();
  expect((await once(child, 'close'))[0]).toBe(0);
  return Number(readFileSync(report, 'utf8')) / 1024;
}

function* lines(count) {
  for (let i = 0; i < count; ++i) yield `{"id": ${i}, "text": "the short text number ${i}"}\n`;
}

/** The shards that workers would make, except for the vectors. */
async function writeShards(run, corpus) {
  const manifest = await run.manifest();
  const vectors = Float32Array.from({ length: manifest.chunkSize * dimension }, (_, i) => Math.sin(i));
  for await (const { chunk, start, firstLine, lines } of chunksOf(corpus, manifest.chunkSize)) {
    const passages = Array.from({ length: lines }, (_, i) => ({ line: firstLine + i, offset: start + 40 * i }));
    await writeShard(run.shardPath(chunk), {
      key: runKey(manifest),
      chunk,
      index: new SearchIndex({ dimension, storage: 'int8' }),
      passages,
      errors: [],
      encoding: { vectors, dimension },
    });
  }
}

async function peaks(count) {
  const local = await LocalRun.open();
  try {
    const corpus = join(local.folder, 'corpus.jsonl');
    await pipeline(lines(count), createWriteStream(corpus));
    const producer = await peakOf(local, 'produce', ['--corpus', corpus]);
    const run = new Run(local.folder, local.name);
    await writeShards(run, corpus);
    const queue = openQueue(run, local.redis.url);
    await queue.obliterate();
    await queue.close();
    const collector = await peakOf(local, 'collect', []);
    expect(statSync(run.indexPath).size).toBeGreaterThan(count * dimension);
    return { producer, collector };
  } finally {
    await local.close();
  }
}

test('ten times the lines need the same memory', async () => {
  const few = await peaks(20_000);
  const many = await peaks(200_000);
  expect(many.producer - few.producer).toBeLessThan(leeway);
  expect(many.collector - few.collector).toBeLessThan(leeway);
});
