// Waits for the jobs of a run.
import { setTimeout as wait } from 'node:timers/promises';
import { Progress } from './progress.mjs';
import { areShardsThere } from './survey.mjs';

const lookEveryMs = 500;
const unfinished = ['wait', 'active', 'delayed', 'prioritized', 'paused'];

export class CompletionWatch {
  #queue;
  #run;
  #patienceMs;

  /** `patienceMs`: how long there may be nothing to wait for while something is missing. */
  constructor(queue, run, patienceMs) {
    this.#queue = queue;
    this.#run = run;
    this.#patienceMs = patienceMs;
  }

  /** The manifest, once a producer has begun. @returns {Promise<import('./run.mjs').Manifest>} */
  async manifest() {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      const manifest = await this.#run.manifest();
      if (manifest) return manifest;
      if (performance.now() > deadline) throw new Error(`no producer has begun run '${this.#run.name}'`);
      await wait(lookEveryMs);
    }
  }

  /** Resolves when nothing is queued and nothing missing, or when it has been so long that nothing more will come. */
  async completion(manifest) {
    const progress = new Progress(manifest.lines);
    for (let idleSince; ; await wait(lookEveryMs)) {
      const counts = await this.#queue.getJobCounts('completed', 'failed', ...unfinished);
      progress.update(stateOf(counts, manifest));
      if (unfinished.some((state) => counts[state] > 0)) {
        idleSince = undefined;
        continue;
      }
      const isFirstLook = idleSince === undefined;
      idleSince ??= performance.now();
      const isComplete =
        counts.completed + counts.failed >= manifest.chunks ||
        // Redis need not know the jobs any more: the index can be made again from the folder alone.
        (isFirstLook && (await areShardsThere(this.#run, manifest)));
      if (isComplete || performance.now() - idleSince > this.#patienceMs) break;
    }
    progress.end();
  }
}

function stateOf({ completed, failed, active, delayed }, { lines, chunkSize }) {
  const done = Math.min(lines, completed * chunkSize);
  return { done, running: active, retried: delayed, setAside: failed };
}
