#!/usr/bin/env node
// Splits a corpus into jobs.
import { fileURLToPath } from 'node:url';
import { embedder as bundledModel } from 'quintet-models';
import { chunksOf } from './chunks.mjs';
import { COMMON_HELP, command, count, required, retries } from './command.mjs';
import { MODEL_OPTIONS, modelFacts } from './model.mjs';
import { jobOptions, openQueue } from './queue.mjs';
import { sha256OfFile } from './sha256.mjs';

const help = `Usage: produce.mjs --folder DIR --run NAME --corpus FILE [options]

Splits a corpus of JSON lines like {"id": "a", "text": "..."} into jobs and adds them to the queue. It may run again at any time, and
twice at once: a job that exists is not added again.

Options:
${COMMON_HELP}
      --corpus FILE       the corpus, in the shared folder
      --chunk-size N      lines per job; default 256
      --model PATH        model for the workers, a file or a folder, known by its SHA-256; default: the embedder of quintet-models
      --quantize int8     workers quantize the model while they load it
      --prompt TEXT       put before every passage; default: the model's prompt for documents, if it has one
      --prompt-name NAME  the model's prompt of this name is put before every passage
      --attempts N        attempts before a job is set aside; default 5
      --backoff-ms N      milliseconds before the second attempt, doubled for each later one; default 1000
      --retry             queue the jobs again that were set aside`;

// Jobs added in one request to Redis.
const batchJobs = 128;

const options = {
  corpus: { type: 'string' },
  'chunk-size': { type: 'string' },
  ...MODEL_OPTIONS,
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
    ...(await modelFacts(values.model ?? fileURLToPath(bundledModel), values)),
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
