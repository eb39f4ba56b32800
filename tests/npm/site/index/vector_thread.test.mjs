// The vectors of a large site are computed in another thread: the same files as without it.
import { Worker } from 'node:worker_threads';
import { importSource } from '../../helpers/source.mjs';

const { PassageWords } = await importSource('site/index/passage_words.ts');
const { SiteVectors } = await importSource('site/index/site_vectors.ts');
const { receivedJob, sentJob, vectorFiles } = await importSource('site/index/vector_files.ts');
const { filesOf } = await importSource('site/index/vector_thread.ts');
const script = new URL('../../../../dist/node_site_vectors_worker.js', import.meta.url);

const dimension = 16;

/** `passages` of 100 of `words` words, in sections of three. */
function jobOf(passages, words) {
  const vectors = SiteVectors.empty(dimension);
  vectors.addWords(Float32Array.from({ length: words * dimension }, (_, i) => Math.sin(i * i + 1)));
  const waiting = new PassageWords();
  const places = { sections: [], numbers: [] };
  for (let i = 0; i < passages; ++i) {
    const text = Array.from({ length: 100 }, (_, k) => (i * 31 + k * k) % words);
    waiting.push([i % words], text, 3);
    places.sections.push(Math.floor(i / 3));
    places.numbers.push(i % 3);
  }
  const rows = Uint32Array.from({ length: words }, (_, row) => row);
  const listed = {
    rows,
    words: Array.from(rows, (row) => `word${row}`),
    counts: rows.map((row) => (row * 7919) % 97),
  };
  return { vectors, waiting, places, listed };
}

const named = ({ entry, files }) => ({
  entry,
  files: files.map(({ kind, number, bytes }) => [kind, number, Buffer.from(bytes).toString('base64')]),
});

/** The answer of the thread, which begins with `ready`. */
async function inThread(job) {
  const worker = new Worker(script);
  try {
    return await new Promise((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (message) => {
        if (message === 'ready') worker.postMessage(...sentJob(job));
        else resolve(message);
      });
    });
  } finally {
    await worker.terminate();
  }
}

test('the thread answers with the files that this one computes', async () => {
  const here = named(await vectorFiles(jobOf(700, 900)));
  const { value } = await inThread(jobOf(700, 900));
  expect(named(value)).toEqual(here);
  expect(here.entry).toMatchObject({ dimension, clusters: 8 });
  expect(new Set(here.files.map(([kind]) => kind))).toEqual(new Set(['centers', 'cluster', 'rows']));
});

test('passages that have their vectors already are handed over too', async () => {
  const settled = () => {
    const job = jobOf(300, 500);
    job.vectors.settle(job.waiting, job.places);
    return { ...job, waiting: jobOf(40, 500).waiting };
  };
  const here = named(await vectorFiles(settled()));
  const { value } = await inThread(settled());
  expect(named(value)).toEqual(here);
  // Clusters have about 90 passages each: 340 of them, and not 40.
  expect(here.entry.clusters).toBe(4);
});

test('a job that cannot be done is an error of the thread, not its end', async () => {
  const job = jobOf(3, 5);
  job.listed.rows[0] = 1e6;
  expect(await inThread(job)).toMatchObject({ error: { code: 'INTERNAL' } });
});

test('where the script of the thread is missing, a large site has the same files', async () => {
  // Here the code is a data URL, without any script next to it.
  const large = () => jobOf(2500, 1000);
  expect(large().waiting.entries).toBeGreaterThan(150_000);
  expect(named(await filesOf(large()))).toEqual(named(await vectorFiles(large())));
});

test('a job that was sent has no copy left behind', () => {
  const job = jobOf(10, 20);
  const [sent, buffers] = sentJob(job);
  const moved = structuredClone(sent, { transfer: buffers });
  expect(job.listed.rows.byteLength).toBe(0);
  expect(buffers.every(({ byteLength }) => byteLength === 0)).toBe(true);
  expect(receivedJob(moved).waiting.size).toBe(10);
});
