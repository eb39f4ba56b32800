// Waits until the jobs of a run are done.
import { setTimeout as wait } from 'node:timers/promises';
import { Progress } from './progress.mjs';
import { areShardsThere } from './survey.mjs';

const lookEveryMs = 500;
const unfinished = ['wait', 'active', 'delayed', 'prioritized', 'paused'];

export class CompletionWatch {
  #queue;
  #run;
  #patienceMs;

  /** `patienceMs`: how long the queue may be empty while something is missing. */
  constructor(queue, run, patienceMs) {
    this.#queue = queue;
    this.#run = run;
    this.#patienceMs = patienceMs;
  }

  /** The manifest, once a producer has started. @returns {Promise<import('./run.mjs').Manifest>} */
  async manifest() {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      const manifest = await this.#run.manifest();
      if (manifest) return manifest;
      if (performance.now() > deadline) throw new Error(`no producer has started run '${this.#run.name}'`);
      await wait(lookEveryMs);
    }
  }

  /** Resolves when nothing is queued and nothing is missing, or when the queue has been empty for too long. */
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
        // Redis may have lost the jobs: the index can be rebuilt from the folder alone.
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
