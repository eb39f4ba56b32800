// What stands behind the class of a model: the model in this thread, or in a worker (worker_client.ts).

import type { EngineRuntime } from './engine.js';
import type { ByteSource } from './byte_source.js';
import type { StartTeam } from './helpers.js';
import type { LoadedModelInfo, LoadOptions, LoadProgress } from './types.js';
import type { WasmSource } from './wasm_module.js';

/** What the caller of a model's method wants to have to do with it. What passes can cross between threads. */
export interface CallWatch {
  signal?: AbortSignal | undefined;
  /** Takes what is known before the result. */
  onEvent?(event: unknown): void;
  /** Answers what must be known for the result; nothing after an abort. */
  onQuestion?(question: unknown): Promise<unknown>;
  /** The answers are bytes that stay the caller's: they are copied where they cross. */
  lends?: boolean;
  /** What of the arguments is handed over where they cross, instead of copied. */
  transfer?: Transferable[];
}

/** A method of a model where it runs; arguments and result can cross between threads. */
type HostMethod = (watch: CallWatch, ...args: never[]) => Promise<unknown>;
/** Names of methods of a host that are called through a backend. */
type MethodsOf<Calls> = { [M in keyof Calls]: Calls[M] extends HostMethod ? M : never }[keyof Calls] & string;
type ArgumentsOf<Method> = Method extends (watch: CallWatch, ...args: infer A) => Promise<unknown> ? A : never;
type ResultOf<Method> = Method extends (...args: never[]) => Promise<infer R> ? R : never;

/** What every loaded model tells of itself. */
export interface Description {
  info: LoadedModelInfo;
  runtime: EngineRuntime;
}

/** A model in the thread that its engine runs in. */
export interface Host<D extends Description = Description> {
  readonly description: D;
  close(): void;
}

/** A model, wherever it runs. `Calls` are the methods of its host. */
export interface Backend<Calls, D extends Description> {
  readonly description: D;
  call<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    watch?: CallWatch,
  ): Promise<ResultOf<Calls[M]>>;
  close(): void;
}

/** Options of a load that the engine's side needs for every kind of model. */
export interface HostLoadOptions {
  variant: NonNullable<LoadOptions['variant']>;
  threads: NonNullable<LoadOptions['threads']>;
  integrity: string | undefined;
  wasm: WasmSource | undefined;
}

/** What the thread of an engine adds to the options. */
export interface EngineThread {
  startTeam: StartTeam;
}

export interface LoadWatch {
  signal: AbortSignal | undefined;
  onProgress: ((progress: LoadProgress) => void) | undefined;
}

/** A file of a model, opened where it is read. */
export interface ModelFile {
  /** Empty where it is the only one. */
  name: string;
  open(signal: AbortSignal | undefined): Promise<ByteSource>;
}

/** Loads a model into this thread. What it opens it closes. */
export type LoadHost<Calls, D extends Description, Options extends HostLoadOptions> = (
  files: readonly ModelFile[],
  options: Options & EngineThread,
  watch: LoadWatch,
) => Promise<Host<D> & Calls>;

/** A model that runs in this thread. */
export function hostBackend<Calls, D extends Description>(host: Host<D> & Calls): Backend<Calls, D> {
  return {
    description: host.description,
    call: (method, args, watch = {}) => (host[method] as (...all: unknown[]) => never)(watch, ...(args as unknown[])),
    close: () => host.close(),
  };
}
