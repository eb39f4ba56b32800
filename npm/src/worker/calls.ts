// The interface between a public class and its host, which runs in this thread (loading.ts) or in a worker
// (client.ts).

import type { Fallback } from '../base/fallbacks.js';
import type { CommonLoadOptions, LoadedModelInfo, WasmSource } from '../base/types.js';
import type { LoadContext } from '../engine/load/feed.js';
import type { EngineRuntime } from '../engine/start/engine.js';
import type { StartTeam } from '../engine/threads/compute_task.js';
import type { ModelFile, OpenableFile } from '../sources/types.js';
import type { AnyItems, ItemSink } from './items.js';

/** Options of a call, in addition to its arguments. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Called with events, such as progress, before the result. */
  onEvent?(event: unknown): void;
  /** Answers questions of the host. */
  onQuestion?(question: unknown): Promise<unknown>;
  /** Receives the items of the call, such as tokens, no faster than they are read. */
  items?: AnyItems | undefined;
  /** Files that the call reads. */
  sources?: readonly ModelFile[];
  /** Fallbacks that were taken are added here. */
  fallbacks?: Fallback[];
  /** Buffers of the arguments to transfer to a worker instead of copying them. */
  transfer?: Transferable[];
}

/** The caller's side of a call, for a method of a host. */
export interface CallContext {
  signal?: AbortSignal | undefined;
  onEvent?(event: unknown): void;
  /** Rejects if the caller's side has failed, also at an earlier event or item. */
  onQuestion?(question: unknown): Promise<unknown>;
  items?: ItemSink<unknown> | undefined;
  files: readonly OpenableFile[];
}

/** A method of a host. Its arguments and result can be sent between threads. */
type HostMethod = (watch: CallContext, ...args: never[]) => Promise<unknown>;
export type MethodsOf<Calls> = { [M in keyof Calls]: Calls[M] extends HostMethod ? M : never }[keyof Calls] & string;
export type ArgumentsOf<Method> = Method extends (watch: CallContext, ...args: infer A) => Promise<unknown> ? A : never;
export type ResultOf<Method> = Method extends (...args: never[]) => Promise<infer R> ? R : never;

/** Does the work, in the thread of its engine. */
export interface Host<D = unknown> {
  readonly description: D;
  close(): void;
}

/** A host, wherever it runs. `Calls` are its methods. */
export interface Backend<Calls, D> {
  readonly description: D;
  call<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    options?: CallOptions,
  ): Promise<ResultOf<Calls[M]>>;
  close(): void;
}

/** The description of every loaded model. */
export interface ModelDescription {
  info: Omit<LoadedModelInfo, 'runtime'>;
  runtime: EngineRuntime;
}

/** Options of a load that every host needs. */
export interface HostLoadOptions {
  variant: NonNullable<CommonLoadOptions['variant']>;
  threads: NonNullable<CommonLoadOptions['threads']>;
  integrity: string | undefined;
  wasm: WasmSource | undefined;
}

/** Options that the thread of the engine adds. */
export interface EngineThread {
  startTeam: StartTeam;
}

/** Starts a host in this thread. It closes the files that it opens. */
export type LoadHost<Calls, D, Options> = (
  files: readonly OpenableFile[],
  options: Options & EngineThread,
  watch: LoadContext,
) => Promise<Host<D> & Calls>;
