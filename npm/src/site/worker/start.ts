// Starts the worker that searches.

import { ready, workerName } from './calls.js';

/** A worker whose script has run; undefined where the page may start none. Policies and networks refuse by an event. */
export async function startSiteWorker(): Promise<Worker | undefined> {
  const url = new URL('./site_worker.js', import.meta.url);
  const isOwn = url.origin === location.origin;
  return (await started(() => (isOwn ? ownWorker() : undefined))) ?? started(() => workerOf(url));
}

/** Bundlers look for exactly this form. */
const ownWorker = () => new Worker(new URL('./site_worker.js', import.meta.url), { type: 'module', name: workerName });

/** Browsers start no worker from another origin, but one that imports its script from there. */
function workerOf(url: URL): Worker {
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)}`], { type: 'text/javascript' }));
  try {
    return new Worker(script, { type: 'module', name: workerName });
  } finally {
    setTimeout(() => URL.revokeObjectURL(script), 60_000);
  }
}

function started(start: () => Worker | undefined): Promise<Worker | undefined> {
  return new Promise((resolve) => {
    try {
      const worker = start();
      if (!worker) return resolve(undefined);
      const refused = () => {
        worker.terminate();
        resolve(undefined);
      };
      worker.addEventListener('error', refused, { once: true });
      worker.addEventListener('message', ({ data }) => (data === ready ? resolve(worker) : undefined), { once: true });
    } catch {
      // A Content Security Policy, or Trusted Types.
      resolve(undefined);
    }
  });
}
