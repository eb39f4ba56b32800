// The work of a run of examples/bulk-embedding without its queue: one process makes all shards, two chunks at a time
// as a worker does.
import { ChunkEmbedder } from '../../examples/bulk-embedding/src/chunk_embedder.mjs';
import { chunksOf } from '../../examples/bulk-embedding/src/chunks.mjs';
import { Run } from '../../examples/bulk-embedding/src/run.mjs';

export const contestants = { direct: async () => ({ embedAll }) };

/** Gives the seconds. */
async function embedAll(folder, name, corpus, model) {
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
  const seconds = (performance.now() - started) / 1000;
  await embedder.close();
  return seconds;
}
