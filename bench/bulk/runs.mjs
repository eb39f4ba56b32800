// A corpus embedded in one way or another, from nothing to shards.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { LocalRun } from '../../examples/bulk-embedding/src/local_run.mjs';
import { NODE_24, REPOSITORY } from '../shared/paths.mjs';

const MODEL = join(REPOSITORY, 'models/embedder-int8.weights');
const HOST = fileURLToPath(new URL('./hosts/direct.mjs', import.meta.url));

/** One process, no queue. */
export const direct = (writeCorpus) =>
  inRun(writeCorpus, async (local, corpus) => {
    const { stdout } = await promisify(execFile)(NODE_24, [HOST, local.folder, local.name, corpus, MODEL]);
    return Number(stdout);
  });

/** The queue and its workers: from the beginning of the first job to the end of the last. */
export const queued = (writeCorpus, workers) =>
  inRun(writeCorpus, async (local) => {
    for (let i = 0; i < workers; ++i) local.start('work').stdout.resume();
    const { status, stdout } = await local.run('collect', [], { stderr: 'ignore' });
    if (status !== 0) throw new Error(`the collector ended with status ${status}`);
    return JSON.parse(stdout).seconds;
  });

/** @returns {Promise<{ seconds: number, digest: string }>} `digest` of all shards */
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

async function digestOf(folder) {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
