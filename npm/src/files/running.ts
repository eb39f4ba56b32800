// Runs the functions on files: in a shared worker that ends a few seconds after the last call, or in this thread.

import { threads } from '#platform/threads';

import { abortable } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import { checkReadOptions, readRules } from '../base/load_options.js';
import type { LoadProgress, ModelSource, ReadOptions } from '../base/types.js';
import { typeName } from '../base/values.js';
import type { NamedSource } from '../bytes/named_source.js';
import { hubFilesOf } from '../model_cache/hub_names.js';
import { singleFile } from '../platform/model_files.js';
import type { ArgumentsOf, Backend, CallOptions, MethodsOf, ResultOf } from '../remote/calls.js';
import { startHost, type Kind } from '../remote/loading.js';
import type { FilesCalls, FilesHostOptions } from './calls.js';

type FilesBackend = Backend<FilesCalls, object>;
type Reading = 'inspect' | 'validate' | 'readTensor';

const host = lazyPart(() => import('./host.js'), 'startFilesHost');

const kind: Kind<FilesCalls, object, FilesHostOptions> = {
  script: 'files_worker',
  inThread: async () => (await host()).startFilesHost,
};

/** Reads one file. */
export async function readFile<M extends Reading>(
  method: M,
  args: ArgumentsOf<FilesCalls[M]>,
  source: ModelSource,
  options: ReadOptions = {},
): Promise<ResultOf<FilesCalls[M]>> {
  checkReadOptions(options, method, readRules);
  for (const name of args) {
    if (typeof name !== 'string') throw inputError('wrong_type', `${method}: name must be a string, not ${typeName(name)}`);
  }
  const { signal, onProgress } = options;
  const named = await hubFilesOf(source, method === 'inspect' ? method : 'file', options);
  const sources = named ?? (await singleFile(source, method, 'name one of its files'));
  const onEvent = onProgress && { onEvent: (progress: unknown) => onProgress(progress as LoadProgress) };
  return abortable(run(method, args, sources, options, { signal, ...onEvent }), signal);
}

/** Runs a call in a worker or in this thread, as the options say. */
export async function run<M extends MethodsOf<FilesCalls>>(
  method: M,
  args: ArgumentsOf<FilesCalls[M]>,
  sources: readonly NamedSource[],
  { wasm, worker = threads.worker }: Pick<ReadOptions, 'wasm' | 'worker'>,
  call: CallOptions,
): Promise<ResultOf<FilesCalls[M]>> {
  const place = wasm === undefined && worker ? sharedPlace : new Place(wasm, worker, 0);
  const backend = await place.enter();
  try {
    return await backend.call(method, args, { ...call, sources });
  } finally {
    place.leave();
  }
}

/** A host that lives as long as calls use it, and `lingerMs` longer. */
class Place {
  private starting: Promise<FilesBackend> | undefined;
  private users = 0;
  private ending: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly wasm: ReadOptions['wasm'],
    private readonly worker: boolean,
    private readonly lingerMs: number,
  ) {}

  async enter(): Promise<FilesBackend> {
    ++this.users;
    clearTimeout(this.ending);
    try {
      return await (this.starting ??= this.start());
    } catch (error) {
      this.starting = undefined;
      this.leave();
      throw error;
    }
  }

  leave(): void {
    if (--this.users > 0) return;
    this.ending = setTimeout(() => this.end(), this.lingerMs);
    // The timer must not keep the process alive.
    (this.ending as { unref?(): void }).unref?.();
  }

  private async start(): Promise<FilesBackend> {
    const watch = { worker: this.worker, signal: undefined, onProgress: undefined };
    const { backend } = await startHost(kind, [], { wasm: this.wasm }, watch, []);
    return backend;
  }

  private end(): void {
    const started = this.starting;
    this.starting = undefined;
    void started?.then((backend) => backend.close());
  }
}

// The next file often follows soon.
const sharedPlace = new Place(undefined, true, 5000);
