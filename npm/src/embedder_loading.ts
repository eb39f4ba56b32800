// Where a model is loaded: in a worker or in this thread.

import { threads } from 'quintet-threads';

import { throwIfAborted } from './abort.js';
import type { EmbedderBackend, HostLoadOptions } from './embedder_backend.js';
import { messageOf, QuintetError } from './errors.js';
import { inThread } from './in_thread_loader.js';
import { checkLoadOptions } from './options.js';
import { openSource } from './source.js';
import type { LoadOptions, ModelSource, RuntimeInfo } from './types.js';
import { loadInWorker } from './worker_client.js';
import { startWorker } from './worker_start.js';
import type { WorkerEndpoint } from './threads.js';

export interface LoadedBackend {
  backend: EmbedderBackend;
  runtime: RuntimeInfo;
}

export async function loadBackend(source: ModelSource, options: LoadOptions = {}): Promise<LoadedBackend> {
  checkLoadOptions(options);
  const { signal, onProgress: notify } = options;
  throwIfAborted(signal);
  const watch = { signal, onProgress: notify && ((progress: Parameters<typeof notify>[0]) => notify(progress)) };
  const fallbacks: string[] = [];
  const worker = (options.worker ?? threads.worker) ? await tryWorker(fallbacks, signal) : undefined;
  const host = hostOptions(options);
  const backend = worker
    ? await loadInWorker(worker, source, host, watch)
    : await (await inThread()).loadEmbedder(openSource(source, { signal }), host, watch);
  const { runtime } = backend.description;
  return {
    backend,
    runtime: { ...runtime, worker: worker !== undefined, fallbacks: [...runtime.fallbacks, ...fallbacks] },
  };
}

function hostOptions(options: LoadOptions): HostLoadOptions {
  const { format = '', variant = 'auto', integrity, wasm, attentionHeads = 0 } = options;
  return { format, variant, integrity, wasm, attentionHeads };
}

/** A worker, or the reason why there is none. */
async function tryWorker(fallbacks: string[], signal: AbortSignal | undefined): Promise<WorkerEndpoint | undefined> {
  try {
    return await startWorker(signal);
  } catch (error) {
    if (error instanceof QuintetError) throw error;
    fallbacks.push(`no worker: ${messageOf(error)}`);
    return undefined;
  }
}
