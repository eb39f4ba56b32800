// Where a model is loaded: in a worker or in this thread.

import { threads } from 'quintet-threads';

import { throwIfAborted } from './abort.js';
import { hostBackend, type Backend, type Description, type HostLoadOptions, type LoadHost } from './backend.js';
import { messageOf, QuintetError } from './errors.js';
import { helperTeam } from './helper_team.js';
import type { NamedSource } from './model_folder.js';
import { openModelSource, storage } from './model_source.js';
import { locationOf } from './source.js';
import type { WorkerEndpoint, WorkerScript } from './threads.js';
import type { LoadOptions, LoadProgress, RuntimeInfo } from './types.js';
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
  throwIfAborted(options.signal);
  const load = (from: readonly NamedSource[], notify: LoadOptions['onProgress']) =>
    loadFrom<Calls, D, Options>(script, inThread, from, options, notify, own);
  if (!options.cache) return load(files, options.onProgress);
  return (await storage()).loadStored(files, options, load, locationOf);
}

async function loadFrom<Calls, D extends Description, Options extends HostLoadOptions>(
  script: WorkerScript,
  inThread: () => Promise<LoadHost<Calls, D, Options>>,
  files: readonly NamedSource[],
  options: LoadOptions,
  notify: LoadOptions['onProgress'],
  own: Omit<Options, keyof HostLoadOptions>,
): Promise<LoadedBackend<Calls, D>> {
  const { signal, variant = 'auto', threads: count = 'auto', integrity, wasm } = options;
  const watch = { signal, onProgress: notify && ((progress: LoadProgress) => notify(progress)) };
  const fallbacks: string[] = [];
  const worker = (options.worker ?? threads.worker) ? await tryWorker(script, fallbacks, signal) : undefined;
  const host = { ...own, variant, threads: count, integrity, wasm } as Options;
  const openable = () =>
    files.map(([name, source, entry]) => ({ name, open: () => openModelSource(source, signal, entry, fallbacks) }));
  const backend = worker
    ? await loadInWorker<Calls, D>(worker, files, host, watch, fallbacks)
    : hostBackend<Calls, D>(await (await inThread())(openable(), { ...host, startTeam: helperTeam() }, watch));
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
