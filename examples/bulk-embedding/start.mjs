// npm start [-- --passages N] [--workers N]: runs everything on this machine, with a process each for the producer, the
// workers and the collector. Then a question is answered from the index they made.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { corpus as bundledCorpus } from 'quintet-models';
import { answer } from './src/answer.mjs';
import { count } from './src/command.mjs';
import { LocalRun } from './src/local_run.mjs';
import { writeRepeatedCorpus } from './src/repeated_corpus.mjs';

const QUESTION = 'why do you catch colds more often if you do not rest enough at night';

try {
  const { values } = parseArgs({ options: { passages: { type: 'string' }, workers: { type: 'string' } } });
  await embedAndAsk(count(values, 'passages', 20_000), count(values, 'workers', availableParallelism()));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function embedAndAsk(passages, workers) {
  const local = await LocalRun.open();
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void local.close().then(() => process.exit(1)));
  try {
    console.log(
      `${passages} passages from the bundled corpus, repeated; Redis on port ${local.redis.port}; data in ${local.root}`,
    );
    const corpus = join(local.folder, 'corpus.jsonl');
    await writeRepeatedCorpus(corpus, bundledCorpus, passages);
    await embedAll(local, corpus, workers);
    await answer(QUESTION, join(local.folder, local.name, 'index.safetensors'), corpus);
  } finally {
    await local.close();
  }
}

async function embedAll(local, corpus, workers) {
  const producer = await local.run('produce', ['--corpus', corpus]);
  if (producer.status !== 0) throw new Error(`the producer exited with status ${producer.status}`);
  console.log(`producer: ${producer.stdout.trim()}`);
  const crew = Array.from({ length: workers }, () => local.start('work'));
  for (const worker of crew) worker.stdout.resume();
  const collector = await local.run('collect');
  if (collector.status !== 0) throw new Error(`the collector exited with status ${collector.status}`);
  console.log(throughput(workers, JSON.parse(collector.stdout)));
  await Promise.all(crew.map(stop));
}

function throughput(workers, { passages, seconds }) {
  const rate = passages / seconds;
  const crew = workers === 1 ? '1 worker' : `${workers} workers`;
  return `${crew}: ${passages} passages in ${seconds.toFixed(1)} s, ${rate.toFixed(0)} per second, ${(rate * 0.0036).toFixed(2)} million per hour`;
}

async function stop(worker) {
  worker.kill('SIGTERM');
  const [status] = await once(worker, 'close');
  if (status !== 0) throw new Error(`a worker exited with status ${status}`);
}
