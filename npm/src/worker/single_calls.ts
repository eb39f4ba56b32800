// Single calls, without a model that stays: in a worker that they share, which ends a few seconds after the last call,
// or in this thread.

import { threads } from '#platform/threads';

import type { ReadOptions, WasmSource } from '../base/types.js';
import type { WorkerScript } from '../platform/threads.js';
import type { ModelFile } from '../sources/types.js';
import type { ArgumentsOf, Backend, CallOptions, MethodsOf, ResultOf } from './calls.js';
import { type HostSpec, startHost } from './loading.js';

// Milliseconds. The next call often follows soon.
const linger = 5000;

/** Options of a host that loads no model. */
export interface SingleHostOptions {
  wasm: WasmSource | undefined;
}

type SingleSpec<Calls> = HostSpec<Calls, object, SingleHostOptions>;

/** Features with the same worker script share its worker. */
const shared = new Map<WorkerScript, TransientHost<unknown>>();

export class SingleCalls<Calls> {
  constructor(private readonly spec: SingleSpec<Calls>) {}

  /** Runs a call in a worker or in this thread, depending on the options. */
  async run<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    sources: readonly ModelFile[],
    { wasm, worker = threads.worker }: Pick<ReadOptions, 'wasm' | 'worker'>,
    call: CallOptions,
  ): Promise<ResultOf<Calls[M]>> {
    const isShared = wasm === undefined && worker;
    let host = isShared ? this.sharedHost() : new TransientHost(this.spec, wasm, worker, 0);
    let backend = await host.enter();
    // Where workers cannot be started, a host has only the calls of the feature that started it.
    if (!host.serves(this.spec)) {
      host.leave();
      host = new TransientHost(this.spec, wasm, false, 0);
      backend = await host.enter();
    }
    try {
      return await backend.call(method, args, { ...call, sources });
    } finally {
      host.leave();
    }
  }

  private sharedHost(): TransientHost<Calls> {
    const { spec } = this;
    const host = shared.get(spec.script) ?? new TransientHost(spec, undefined, true, linger);
    shared.set(spec.script, host as TransientHost<unknown>);
    return host as TransientHost<Calls>;
  }
}

/** A host that lives as long as calls use it, and `lingerMs` longer. */
class TransientHost<Calls> {
  private starting: Promise<Backend<Calls, object>> | undefined;
  private isInWorker = false;
  private users = 0;
  private ending: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly spec: SingleSpec<Calls>,
    private readonly wasm: WasmSource | undefined,
    private readonly worker: boolean,
    private readonly lingerMs: number,
  ) {}

  async enter(): Promise<Backend<Calls, object>> {
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

  /** Once it has started: whether it has the calls of a feature. */
  serves(spec: SingleSpec<Calls>): boolean {
    return this.isInWorker || spec === this.spec;
  }

  leave(): void {
    if (--this.users > 0) return;
    this.ending = setTimeout(() => this.end(), this.lingerMs);
    // The timer must not keep the process alive.
    (this.ending as { unref?(): void }).unref?.();
  }

  private async start(): Promise<Backend<Calls, object>> {
    const { spec, wasm, worker } = this;
    const watch = { worker, signal: undefined, onProgress: undefined };
    const { backend, isInWorker } = await startHost(spec, [], { wasm }, watch, []);
    this.isInWorker = isInWorker;
    return backend;
  }

  private end(): void {
    const started = this.starting;
    this.starting = undefined;
    void started?.then((backend) => backend.close());
  }
}
