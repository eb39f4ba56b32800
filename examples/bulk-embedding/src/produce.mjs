#!/usr/bin/env node
// Splits a corpus into jobs.
import { fileURLToPath } from 'node:url';
import { embedder as bundledModel } from 'quintet-models';
import { chunksOf } from './chunks.mjs';
import { COMMON_HELP, command, count, required, retries } from './command.mjs';
import { jobOptions, openQueue } from './queue.mjs';
import { sha256OfFile } from './sha256.mjs';

const help = `Usage: produce.mjs --folder DIR --run NAME --corpus FILE [options]

Splits a corpus of JSON lines like {"id": "a", "text": "..."} into jobs and adds them to the queue. It may run again at any time, and
twice at once: a job that exists is not added again.

Options:
${COMMON_HELP}
      --corpus FILE       the corpus, in the shared folder
      --chunk-size N      lines per job; default 256
      --model FILE        model for the workers, identified by its SHA-256; default: the embedder of quintet-models
      --attempts N        attempts before a job is set aside; default 5
      --backoff-ms N      milliseconds before the second attempt, doubled for each later one; default 1000
      --retry             queue the jobs again that were set aside`;

// Jobs added in one request to Redis.
const batchJobs = 128;

const options = {
  corpus: { type: 'string' },
  'chunk-size': { type: 'string' },
  model: { type: 'string' },
  attempts: { type: 'string' },
  'backoff-ms': { type: 'string' },
  retry: { type: 'boolean' },
};

await command({ help, options }, async (values, run) => {
  const corpus = required(values, 'corpus');
  const chunkSize = count(values, 'chunk-size', 256);
  const manifest = {
    corpus: run.sharedPath(corpus),
    ...(await survey(corpus, chunkSize)),
    chunkSize,
    model: await sha256OfFile(values.model ?? fileURLToPath(bundledModel)),
  };
  await run.begin(manifest);
  const queue = openQueue(run, values.redis);
  try {
    await addJobs(queue, corpus, manifest, retries(values));
    if (values.retry) await queue.retryJobs({ state: 'failed' });
    console.log(`${manifest.lines} lines in ${manifest.chunks} jobs`);
  } finally {
    await queue.close();
  }
  return 0;
});

async function survey(corpus, chunkSize) {
  let lines = 0;
  let chunks = 0;
  for await (const chunk of chunksOf(corpus, chunkSize)) {
    lines += chunk.lines;
    chunks += 1;
  }
  if (chunks === 0) throw new Error(`${corpus} has no lines`);
  return { sha256: await sha256OfFile(corpus), lines, chunks };
}

async function addJobs(queue, corpus, { chunkSize, chunks }, retry) {
  let batch = [];
  let added = 0;
  const flush = async () => {
    await queue.addBulk(batch);
    added += batch.length;
    batch = [];
  };
  for await (const chunk of chunksOf(corpus, chunkSize)) {
    batch.push({ name: 'embed', data: chunk, opts: jobOptions(retry, chunk) });
    if (batch.length === batchJobs) await flush();
  }
  await flush();
  if (added !== chunks) throw new Error(`${corpus} changed while it was being read`);
}
