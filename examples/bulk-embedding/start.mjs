// npm start [-- --passages N] [--workers N]: the whole on this machine. A producer, workers and a collector, each a process of its own;
// then a question is answered by the index that they made.
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

const { values } = parseArgs({ options: { passages: { type: 'string' }, workers: { type: 'string' } } });
const passages = count(values, 'passages', 20_000);
const workers = count(values, 'workers', availableParallelism());

const local = await LocalRun.open();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void local.close().then(() => process.exit(1)));
try {
  console.log(`The bundled corpus repeated to ${passages} passages; Redis on port ${local.redis.port}, all data in ${local.root}`);
  const corpus = join(local.folder, 'corpus.jsonl');
  await writeRepeatedCorpus(corpus, bundledCorpus, passages);
  await embedAll(corpus);
  await answer(QUESTION, join(local.folder, local.name, 'index.safetensors'), corpus);
} finally {
  await local.close();
}

async function embedAll(corpus) {
  const producer = await local.run('produce', ['--corpus', corpus]);
  console.log(`producer: ${producer.stdout.trim()}`);
  const crew = Array.from({ length: workers }, () => local.start('work'));
  const { status, stdout } = await local.run('collect');
  if (status !== 0) throw new Error('the collector found that something is missing');
  const { passages: embedded, seconds } = JSON.parse(stdout);
  const perSecond = embedded / seconds;
  console.log(`${workers} workers embedded ${embedded} passages in ${seconds.toFixed(1)} s: ${perSecond.toFixed(0)} a second, ` +
    `${(perSecond * 0.0036).toFixed(2)} million an hour`);
  await Promise.all(crew.map(stop));
}

async function stop(worker) {
  worker.kill('SIGTERM');
  const [status] = await once(worker, 'close');
  if (status !== 0) throw new Error(`a worker ended with status ${status}`);
}
