#!/usr/bin/env node
// A worker: loads the model once and embeds chunk after chunk.
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'bullmq';
import { embedder as bundledModel } from 'quintet-models';
import { ChunkEmbedder } from './chunk_embedder.mjs';
import { COMMON_HELP, command, count } from './command.mjs';
import { fingerprintOf } from './model.mjs';
import { connectionTo, reportOnce } from './queue.mjs';

const help = `Usage: work.mjs --folder DIR --run NAME [options]

Takes jobs from the queue until it is stopped. On SIGTERM or SIGINT it finishes its current jobs; a second signal stops it at once, and
other workers take over. Prints a JSON line for each event.

Options:
${COMMON_HELP}
      --model PATH        the model of the run; default: the embedder of quintet-models
      --lock-ms N         milliseconds without a sign of life after which a worker counts as dead; default 30000`;

// While one chunk is computed, the next is read and the last written.
const concurrency = 2;
// A chunk that has killed more workers than this is set aside.
const mostDeaths = 3;

const log = (event) => process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);

const options = { model: { type: 'string' }, 'lock-ms': { type: 'string' } };

await command({ help, options }, async (values, run) => {
  const model = values.model ?? fileURLToPath(bundledModel);
  const manifest = await waitForManifest(run);
  if ((await fingerprintOf(model)) !== manifest.model)
    throw new Error(`${model} is not the model of run '${run.name}'`);
  const embedder = new ChunkEmbedder(run, manifest, model);
  await embedder.load();
  const worker = startWorker(run, values.redis, count(values, 'lock-ms', 30_000), embedder);
  log({ event: 'ready' });
  await stopped(worker);
  await embedder.close();
  log({ event: 'stopped' });
  return 0;
});

async function waitForManifest(run) {
  for (let isLogged = false; ; isLogged = true) {
    const manifest = await run.manifest();
    if (manifest) return manifest;
    if (!isLogged) log({ event: 'waiting for the producer' });
    await wait(500);
  }
}

function startWorker(run, url, lockDuration, embedder) {
  const worker = new Worker(run.name, (job) => embedChunk(job, embedder), {
    connection: connectionTo(url),
    name: `${hostname()}-${process.pid}`,
    concurrency,
    lockDuration,
    stalledInterval: lockDuration,
    maxStalledCount: mostDeaths,
  });
  worker.on('error', reportOnce());
  worker.on('failed', (job, { message }) => {
    const final = job?.finishedOn !== undefined;
    log({ event: final ? 'set aside' : 'failed', chunk: job?.data.chunk, attempt: job?.attemptsMade, reason: message });
  });
  return worker;
}

async function embedChunk({ data, attemptsMade }, embedder) {
  log({ event: 'began', chunk: data.chunk, attempt: attemptsMade + 1 });
  const started = performance.now();
  const { passages, errors } = await embedder.embed(data);
  log({ event: 'done', chunk: data.chunk, passages, errors, ms: Math.round(performance.now() - started) });
  return { passages, errors };
}

/** Resolves after a signal, once all current jobs are done. */
function stopped(worker) {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const stop = () => {
      if (stopping) process.exit(1);
      stopping = true;
      log({ event: 'stopping' });
      worker.close().then(resolve, reject);
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
}
