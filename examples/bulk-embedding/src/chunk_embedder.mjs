// The work of a job: turns a chunk of the corpus into a shard.
import { UnrecoverableError } from 'bullmq';
import { Embedder } from 'quintet';
import { isChunk } from './chunks.mjs';
import { emptyIndex, passageOptions } from './model.mjs';
import { readPassages } from './passages.mjs';
import { runKey } from './run.mjs';
import { readShard, writeShard } from './shard.mjs';

export class ChunkEmbedder {
  #run;
  #manifest;
  #key;
  #modelPath;
  /** @type {Promise<Embedder> | undefined} */
  #embedder;

  /** @param {import('./run.mjs').Run} run @param {import('./run.mjs').Manifest} manifest */
  constructor(run, manifest, modelPath) {
    this.#run = run;
    this.#manifest = manifest;
    this.#key = runKey(manifest);
    this.#modelPath = modelPath;
  }

  /** Loads the model once, and again only after the engine has failed. */
  load() {
    // One thread, because a machine runs one worker per processor. In a worker thread, so that Redis is answered
    // meanwhile.
    this.#embedder ??= Embedder.load(this.#modelPath, { threads: 1, worker: true, quantize: this.#manifest.quantize });
    return this.#embedder;
  }

  /** Running it twice gives the same file. @param {import('./chunks.mjs').Chunk} chunk */
  async embed(chunk) {
    if (!isChunk(chunk) || chunk.chunk >= this.#manifest.chunks)
      throw new UnrecoverableError('not a chunk of this run');
    const path = this.#run.shardPath(chunk.chunk);
    const identity = { key: this.#key, chunk: chunk.chunk };
    const finished = await readShard(path, identity);
    if (finished) return { passages: finished.passages, errors: finished.errors.length };
    const { passages, errors } = await readPassages(this.#run.localPath(this.#manifest.corpus), chunk);
    const encoding = await this.#encode(passages.map(({ text }) => text));
    const index = emptyIndex(await this.load(), this.#manifest);
    await writeShard(path, { ...identity, index, passages, errors, encoding });
    return { passages: passages.length, errors: errors.length };
  }

  async close() {
    (await this.#embedder?.catch(() => undefined))?.close();
  }

  async #encode(texts) {
    try {
      const embedder = await this.load();
      return await embedder.encode(texts, passageOptions(this.#manifest));
    } catch (error) {
      // The engine failed, not the texts: the next attempt gets a new one.
      if (['INTERNAL', 'MEMORY', 'CLOSED'].includes(error.code)) {
        await this.close();
        this.#embedder = undefined;
      }
      throw error;
    }
  }
}
