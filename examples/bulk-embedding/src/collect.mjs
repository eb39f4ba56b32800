#!/usr/bin/env node
// The collector: shows the progress of the run and merges its shards into one index.
import { COMMON_HELP, command, count } from './command.mjs';
import { CompletionWatch } from './completion_watch.mjs';
import { mergeShards } from './merge.mjs';
import { openQueue } from './queue.mjs';
import { writeSetAside } from './set_aside.mjs';
import { surveyShards } from './survey.mjs';

const help = `Usage: collect.mjs --folder DIR --run NAME [options]

Waits until every job is done or set aside, with progress on stderr, and merges the shards into index.safetensors, which
SearchIndex.load and 'quintet search --index' can read. Prints one JSON line. Exit status 1 if lines or jobs are missing from the
index; errors.jsonl and set-aside.jsonl list them with the reasons.

Options:
${COMMON_HELP}
      --patience-s N      seconds to wait while the queue is empty but jobs are missing; default 60`;

await command({ help, options: { 'patience-s': { type: 'string' } } }, async (values, run) => {
  const queue = openQueue(run, values.redis);
  try {
    return await collect(queue, run, 1000 * count(values, 'patience-s', 60));
  } finally {
    await queue.close();
  }
});

async function collect(queue, run, patienceMs) {
  const watch = new CompletionWatch(queue, run, patienceMs);
  const manifest = await watch.manifest();
  await watch.completion(manifest);
  const seconds = await secondsOfWork(queue);
  const { shards, missing, passages, badLines } = await surveyShards(run, manifest);
  const setAside = await writeSetAside(queue, run, missing);
  if (setAside < missing.size) {
    throw new Error(`${missing.size - setAside} chunks have neither a shard nor a job: run the producer again`);
  }
  await mergeShards({ shards, badLines, isWhole: missing.size === 0 }, run, manifest);
  if (setAside === 0) await queue.obliterate({ force: true });
  console.log(JSON.stringify({ index: run.indexPath, passages, badLines, setAside, seconds }));
  return badLines + setAside === 0 ? 0 : 1;
}

/** The time from the start of the first job to the end of the last; null if Redis no longer has them. */
async function secondsOfWork(queue) {
  const [first] = await queue.getJobs(['completed'], 0, 0, true);
  const [last] = await queue.getJobs(['completed'], 0, 0, false);
  return first && last ? (last.finishedOn - first.processedOn) / 1000 : null;
}
