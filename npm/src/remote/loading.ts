// Where a host starts: in a worker or in this thread.

import { files } from '#platform/files';
import { threads } from '#platform/threads';

import { throwIfAborted } from '../base/abort.js';
import { messageOf, QuintetError, unsupported } from '../base/errors.js';
import type { CommonLoadOptions, LoadProgress, RuntimeInfo, WasmSource } from '../base/types.js';
import type { NamedSource } from '../bytes/named_source.js';
import { computeTeam } from '../engine/compute_team.js';
import { portableWasm } from '../engine/wasm_source.js';
import { storage } from '../model_cache/model_source.js';
import type { CacheableSource } from '../model_cache/stored_source.js';
import type { WorkerEndpoint, WorkerScript } from '../platform/threads.js';
import type { Backend, HostLoadOptions, LoadHost, ModelDescription } from './calls.js';
import { workerBackend } from './client.js';
import { filesOf, inThreadBackend } from './in_thread.js';
import { startWorker } from './worker_start.js';

/** How a kind of work is started. */
export interface Kind<Calls, D, Options> {
  script: WorkerScript;
  /** Loads what does it in this thread. */
  inThread: () => Promise<LoadHost<Calls, D, Options>>;
}

export interface LoadedModel<Calls, D> {
  backend: Backend<Calls, D>;
  runtime: RuntimeInfo;
}

/** Loads a model. `options` are checked; `own` are those that only this kind of model has. */
export async function loadModel<Calls, D extends ModelDescription, Options extends HostLoadOptions>(
  kind: Kind<Calls, D, Options>,
  sources: readonly NamedSource[],
  options: CommonLoadOptions,
  own: Omit<Options, keyof HostLoadOptions>,
): Promise<LoadedModel<Calls, D>> {
  throwIfAborted(options.signal);
  const { signal, variant = 'auto', threads: count = 'auto', integrity, wasm } = options;
  const host = { ...own, variant, threads: count, integrity, wasm } as Options;
  const load = async (from: readonly CacheableSource[], onProgress: CommonLoadOptions['onProgress']) => {
    const fallbacks: string[] = [];
    const start = { signal, onProgress, worker: options.worker };
    const { backend, isInWorker } = await startHost(kind, from, host, start, fallbacks);
    const { runtime } = backend.description;
    return { backend, runtime: { ...runtime, worker: isInWorker, fallbacks: [...runtime.fallbacks, ...fallbacks] } };
  };
  if (!options.cache) return load(sources, options.onProgress);
  if (!files.hasCache) throw unsupported("load: 'cache' is for browsers: here the file system keeps files");
  return (await storage()).loadStored(sources, options, load);
}

/** What `startHost` takes of the caller's options. */
type StartOptions = Pick<CommonLoadOptions, 'signal' | 'onProgress' | 'worker'>;

/** Starts a host where the options want it, or in this thread where there is no worker: `fallbacks` gets the reason. */
export async function startHost<Calls, D, Options extends { wasm: WasmSource | undefined }>(
  kind: Kind<Calls, D, Options>,
  sources: readonly CacheableSource[],
  options: Options,
  { signal, onProgress, worker = threads.worker }: { [K in keyof StartOptions]: StartOptions[K] | undefined },
  fallbacks: string[],
): Promise<{ backend: Backend<Calls, D>; isInWorker: boolean }> {
  const endpoint = worker ? await tryWorker(kind.script, fallbacks, signal) : undefined;
  const notify = onProgress && ((progress: LoadProgress) => onProgress(progress));
  if (endpoint) {
    const onEvent = notify && { onEvent: notify as (event: unknown) => void };
    const load = { signal, sources, fallbacks, ...onEvent };
    const wasm = await portableWasm(options.wasm);
    return { backend: await workerBackend(endpoint, { ...options, wasm }, load), isInWorker: true };
  }
  const watch = { signal, onProgress: notify };
  const start = await kind.inThread();
  const host = await start(filesOf(sources, fallbacks), { ...options, startTeam: computeTeam() }, watch);
  return { backend: inThreadBackend<Calls, D>(host), isInWorker: false };
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
