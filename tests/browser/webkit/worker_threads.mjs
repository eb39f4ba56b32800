// Counts a browser's workers by its threads, since WebDriver does not report workers.
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the threads that run workers in the descendants of a process. */
export function workerThreads(ancestor) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((id) => [Number(id), parentOf(id)]));
  const isBelow = (id) => id !== undefined && (id === ancestor || isBelow(parents.get(id)));
  return [...parents.keys()]
    .filter(isBelow)
    .flatMap((id) =>
      entries(`/proc/${id}/task`).filter((thread) => read(`/proc/${id}/task/${thread}/comm`) === 'WebCore: Worker\n'),
    );
}

const parentOf = (id) => Number(/^PPid:\s*(\d+)$/m.exec(read(`/proc/${id}/status`))?.[1]) || undefined;

// Processes and threads may end while they are being read.
const entries = (folder) => ifThere(() => readdirSync(folder)) ?? [];
const read = (path) => ifThere(() => readFileSync(path, 'utf8')) ?? '';

function ifThere(job) {
  try {
    return job();
  } catch {
    return undefined;
  }
}
