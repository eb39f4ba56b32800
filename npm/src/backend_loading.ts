// Where a model is loaded: in a worker or in this thread.

import { threads } from 'quintet-threads';

import { throwIfAborted } from './abort.js';
import { hostBackend, type Backend, type Description, type HostLoadOptions, type LoadHost } from './backend.js';
import { messageOf, QuintetError } from './errors.js';
import type { NamedSource } from './model_folder.js';
import { openSource } from './source.js';
import type { WorkerEndpoint, WorkerScript } from './threads.js';
import type { LoadOptions, RuntimeInfo } from './types.js';
import { loadInWorker } from './worker_client.js';
import { startWorker } from './worker_start.js';

export interface LoadedBackend<Calls, D extends Description> {
  backend: Backend<Calls, D>;
  runtime: RuntimeInfo;
}

/** `options` are checked; `own` are those that only this kind of model has. */
export async function loadBackend<Calls, D extends Description, Options extends HostLoadOptions>(
  script: WorkerScript,
  inThread: () => Promise<LoadHost<Calls, D, Options>>,
  files: readonly NamedSource[],
  options: LoadOptions,
  own: Omit<Options, keyof HostLoadOptions>,
): Promise<LoadedBackend<Calls, D>> {
  const { signal, onProgress: notify, variant = 'auto', threads: count = 'auto', integrity, wasm } = options;
  throwIfAborted(signal);
  const watch = { signal, onProgress: notify && ((progress: Parameters<typeof notify>[0]) => notify(progress)) };
  const fallbacks: string[] = [];
  const worker = (options.worker ?? threads.worker) ? await tryWorker(script, fallbacks, signal) : undefined;
  const host = { ...own, variant, threads: count, integrity, wasm } as Options;
  const openable = () =>
    files.map(([name, source]) => ({ name, open: () => openSource(source, { signal }) }));
  const backend = worker
    ? await loadInWorker<Calls, D>(worker, files, host, watch)
    : hostBackend<Calls, D>(await (await inThread())(openable(), host, watch));
  const { runtime } = backend.description;
  return {
    backend,
    runtime: { ...runtime, worker: worker !== undefined, fallbacks: [...runtime.fallbacks, ...fallbacks] },
  };
}

/** A worker, or the reason why there is none. */
async function tryWorker(
  script: WorkerScript,
  fallbacks: string[],
  signal: AbortSignal | undefined,
): Promise<WorkerEndpoint | undefined> {
  try {
    return await startWorker(script, signal);
  } catch (error) {
    if (error instanceof QuintetError) throw error;
    fallbacks.push(`no worker: ${messageOf(error)}`);
    return undefined;
  }
}
