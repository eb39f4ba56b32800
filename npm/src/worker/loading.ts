// Starts hosts, in a worker or in this thread, and the compute threads of their engines.

import { threads } from '#platform/threads';
import { files } from '#sources/files';

import { abortable, throwIfAborted } from '../base/abort.js';
import { messageOf, QuintetError } from '../base/errors.js';
import type { Fallback } from '../base/fallbacks.js';
import type { CommonLoadOptions, LoadProgress, RuntimeInfo, WasmSource } from '../base/types.js';
import { isA } from '../base/values.js';
import type { ComputeReport, StartTeam } from '../engine/threads/compute_task.js';
import type { WorkerEndpoint, WorkerScript } from '../platform/threads.js';
import { openable, storage } from '../sources/open_files.js';
import { locationOf, unread } from '../sources/open_source.js';
import type { ModelFile } from '../sources/types.js';
import type { Backend, CallOptions, Host, HostLoadOptions, LoadHost, ModelDescription } from './calls.js';
import { workerBackend } from './client.js';
import type { FromWorker } from './protocol.js';

/** Starts the host of a feature. */
export interface HostSpec<Calls, D, Options> {
  script: WorkerScript;
  /** Loads the code that starts it in this thread. */
  inThread: () => Promise<LoadHost<Calls, D, Options>>;
}

export interface LoadedModel<Calls, D> {
  backend: Backend<Calls, D>;
  runtime: RuntimeInfo;
}

/** Loads a model. `options` are already checked; `own` are the options of this kind of model. */
export async function loadModel<Calls, D extends ModelDescription, Options extends HostLoadOptions>(
  kind: HostSpec<Calls, D, Options>,
  sources: readonly ModelFile[],
  options: CommonLoadOptions,
  own: Omit<Options, keyof HostLoadOptions>,
): Promise<LoadedModel<Calls, D>> {
  throwIfAborted(options.signal);
  const { signal, variant = 'auto', threads: count = 'auto', integrity, wasm } = options;
  const host = { ...own, variant, threads: count, integrity, wasm } as Options;
  const load = async (from: readonly ModelFile[], onProgress: CommonLoadOptions['onProgress']) => {
    const fallbacks: Fallback[] = [];
    const start = { signal, onProgress, worker: options.worker };
    const { backend, isInWorker } = await startHost(kind, from, host, start, fallbacks);
    const { runtime } = backend.description;
    return { backend, runtime: { ...runtime, worker: isInWorker, fallbacks: [...runtime.fallbacks, ...fallbacks] } };
  };
  if (!options.cache || !files.hasCache) return load(sources, options.onProgress);
  return (await storage()).loadStored(sources, options, load);
}

/** The caller's options that `startHost` uses. */
type StartOptions = Pick<CommonLoadOptions, 'signal' | 'onProgress' | 'worker'>;

/**
 * Starts a host according to the options. Falls back to this thread if workers are not available, and adds the reason
 * to `fallbacks`.
 */
export async function startHost<Calls, D, Options extends { wasm: WasmSource | undefined }>(
  kind: HostSpec<Calls, D, Options>,
  sources: readonly ModelFile[],
  options: Options,
  { signal, onProgress, worker = threads.worker }: { [K in keyof StartOptions]: StartOptions[K] | undefined },
  fallbacks: Fallback[],
): Promise<{ backend: Backend<Calls, D>; isInWorker: boolean }> {
  const endpoint = worker ? await tryWorker(kind.script, fallbacks, signal) : undefined;
  const notify = onProgress && ((progress: LoadProgress) => onProgress(progress));
  if (endpoint) {
    const onEvent = notify && { onEvent: notify as (event: unknown) => void };
    const load = { signal, sources, fallbacks, ...onEvent };
    const wasm = await portableWasm(options.wasm);
    return { backend: await workerBackend(endpoint, { ...options, wasm }, load, computeTeam()), isInWorker: true };
  }
  const watch = { signal, onProgress: notify };
  const start = await kind.inThread();
  const host = await start(openable(sources, fallbacks), { ...options, startTeam: computeTeam() }, watch);
  return { backend: inThreadBackend<Calls, D>(host), isInWorker: false };
}

/** Starts a worker. If that fails, adds the reason to `fallbacks` and returns undefined. */
async function tryWorker(
  script: WorkerScript,
  fallbacks: Fallback[],
  signal: AbortSignal | undefined,
): Promise<WorkerEndpoint | undefined> {
  try {
    return await startWorker(script, signal);
  } catch (error) {
    if (error instanceof QuintetError) throw error;
    fallbacks.push({ code: 'no_worker', message: `no worker: ${messageOf(error)}` });
    return undefined;
  }
}

/** Waits for the first message, since some failures are only reported later. Rejects with a plain Error. */
async function startWorker(script: WorkerScript, signal: AbortSignal | undefined): Promise<WorkerEndpoint> {
  await threads.ended?.();
  const worker = threads.startWorker(script);
  worker.hold(true);
  const started = new Promise<void>((resolve, reject) => {
    worker.onFailure((reason) => reject(new Error(reason)));
    worker.listen((message) => {
      const { kind, lock } = message as FromWorker & { kind: 'ready' };
      if (kind !== 'ready') return;
      if (lock) worker.watch?.(lock);
      resolve();
    });
  });
  try {
    await abortable(started, signal);
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

function inThreadBackend<Calls, D>(host: Host<D> & Calls): Backend<Calls, D> {
  return {
    description: host.description,
    call: (method, args, { sources = [], fallbacks = [], ...watch }: CallOptions = {}) =>
      (host[method] as (...all: unknown[]) => never)(
        { ...watch, files: openable(sources, fallbacks) },
        ...(args as unknown[]),
      ),
    close: () => host.close(),
  };
}

/** Converts the option `wasm` to a form that can be sent to a worker. */
async function portableWasm(wasm: WasmSource | undefined): Promise<WasmSource | undefined> {
  if (typeof wasm === 'string' || isA(wasm, 'URL')) return locationOf(wasm as string | URL)!.href;
  return isA(wasm, 'Response') ? unread(wasm as Response).arrayBuffer() : wasm;
}

/** The compute threads of one engine. */
export function computeTeam(): StartTeam {
  const workers: WorkerEndpoint[] = [];
  return async (tasks) => {
    for (const worker of workers.splice(0)) worker.terminate();
    await threads.ended?.();
    return new Promise((resolve) => {
      let waiting = tasks.length;
      for (const task of tasks) {
        const worker = threads.startWorker('compute_thread');
        workers.push(worker);
        worker.onFailure(resolve);
        worker.listen((report) => {
          if (report !== undefined || --waiting === 0) resolve(report as ComputeReport);
        });
        worker.post(task);
        worker.hold(false);
      }
    });
  };
}
