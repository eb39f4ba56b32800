// How a class calls the model behind it, whether that runs in this thread (in_thread.ts) or in a worker (client.ts).

import type { LoadedModelInfo, CommonLoadOptions, WasmSource } from '../base/types.js';
import type { ByteSource } from '../bytes/byte_source.js';
import type { StartTeam } from '../engine/compute_task.js';
import type { EngineRuntime } from '../engine/engine.js';
import type { LoadWatch } from '../engine/loading.js';
import type { CacheableSource } from '../model_cache/stored_source.js';
import type { AnyItems, ItemSink } from './items.js';

/** What a caller gives along with the arguments of a call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Takes what is known before the result. */
  onEvent?(event: unknown): void;
  /** Answers what must be known for the result; nothing after an abort. */
  onQuestion?(question: unknown): Promise<unknown>;
  /** Where items go that the call gives one after another, no faster than they are read. */
  items?: AnyItems | undefined;
  /** Files that the call reads. */
  sources?: readonly CacheableSource[];
  /** Gets what was not as good as it could be. */
  fallbacks?: string[];
  /** What of the arguments is handed over where they cross, instead of copied. */
  transfer?: Transferable[];
}

/** A file of a call, opened where it is read. */
export interface CallFile {
  /** Empty where it is the only one. */
  name: string;
  /** `inAnyOrder`: not from begin to end, where the source can do otherwise. */
  open(signal: AbortSignal | undefined, inAnyOrder?: boolean): Promise<ByteSource>;
}

/** What a method of a host has of its caller. */
export interface CallWatch {
  signal?: AbortSignal | undefined;
  onEvent?(event: unknown): void;
  onQuestion?(question: unknown): Promise<unknown>;
  items?: ItemSink<unknown> | undefined;
  files: readonly CallFile[];
}

/** A method of a host; arguments and result can cross between threads. */
type HostMethod = (watch: CallWatch, ...args: never[]) => Promise<unknown>;
export type MethodsOf<Calls> = { [M in keyof Calls]: Calls[M] extends HostMethod ? M : never }[keyof Calls] & string;
export type ArgumentsOf<Method> = Method extends (watch: CallWatch, ...args: infer A) => Promise<unknown> ? A : never;
export type ResultOf<Method> = Method extends (...args: never[]) => Promise<infer R> ? R : never;

/** The methods of a host that may be called from another thread: all of them. */
export type MethodTable<Calls> = Readonly<Record<MethodsOf<Calls>, true>>;

/** What does the work, in the thread that its engine runs in. */
export interface Host<D = unknown> {
  readonly description: D;
  close(): void;
}

/** The same, wherever it runs. `Calls` are the methods of its host. */
export interface Backend<Calls, D> {
  readonly description: D;
  call<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    options?: CallOptions,
  ): Promise<ResultOf<Calls[M]>>;
  close(): void;
}

/** What every loaded model tells of itself. */
export interface ModelDescription {
  info: LoadedModelInfo;
  runtime: EngineRuntime;
}

/** Options of a load that the engine's side needs for every kind of model. */
export interface HostLoadOptions {
  variant: NonNullable<CommonLoadOptions['variant']>;
  threads: NonNullable<CommonLoadOptions['threads']>;
  integrity: string | undefined;
  wasm: WasmSource | undefined;
}

/** What the thread of an engine adds to the options. */
export interface EngineThread {
  startTeam: StartTeam;
}

/** Starts a host in this thread. The files that it opens it closes. */
export type LoadHost<Calls, D, Options> = (
  files: readonly CallFile[],
  options: Options & EngineThread,
  watch: LoadWatch,
) => Promise<Host<D> & Calls>;
