// Starts the worker that searches.

import { ready, workerName } from './calls.js';

/**
 * A worker whose script has run; undefined if the page may not start one. A policy or the network blocks it with an
 * event.
 */
export async function startSiteWorker(): Promise<Worker | undefined> {
  // Not in the form that bundlers look for: they would copy the script twice.
  const script = import.meta.url.replace(/[^/]*$/, 'site_worker.js');
  const isOwn = new URL(script).origin === location.origin;
  return (isOwn ? await started(ownWorker) : undefined) ?? started(() => workerOf(script, isOwn));
}

/** Bundlers look for exactly this form, with a name that is a literal (`workerName`). */
const ownWorker = () =>
  new Worker(new URL('./site_worker.js', import.meta.url), { type: 'module', name: 'quintet-site' });

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

/** A page may allow only one with this name. */
let policy: ScriptPolicy | undefined;

/** Used where Trusted Types are required, and for scripts from another origin, which a worker may import but not be. */
function workerOf(script: string, isOwn: boolean): Worker {
  const importing = `import ${JSON.stringify(script)}`;
  const url = isOwn ? script : URL.createObjectURL(new Blob([importing], { type: 'text/javascript' }));
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('quintet-search', { createScriptURL: (same) => same });
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module', name: workerName });
}

function started(start: () => Worker): Promise<Worker | undefined> {
  return new Promise((resolve) => {
    try {
      const worker = start();
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
