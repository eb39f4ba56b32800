// The work of a run without its queue: one process makes all shards, two chunks at a time as a worker does. Prints the seconds.
//   direct.mjs FOLDER RUN CORPUS MODEL
import { chunksOf } from '../../../examples/bulk-embedding/src/chunks.mjs';
import { ChunkEmbedder } from '../../../examples/bulk-embedding/src/chunk_embedder.mjs';
import { Run } from '../../../examples/bulk-embedding/src/run.mjs';

const [folder, name, corpus, model] = process.argv.slice(2);
const run = new Run(folder, name);
const manifest = await run.manifest();
const embedder = new ChunkEmbedder(run, manifest, model);
await embedder.load();

const started = performance.now();
const running = new Set();
for await (const chunk of chunksOf(corpus, manifest.chunkSize)) {
  const job = embedder.embed(chunk).finally(() => running.delete(job));
  running.add(job);
  if (running.size === 2) await Promise.race(running);
}
await Promise.all(running);
console.log((performance.now() - started) / 1000);
await embedder.close();
