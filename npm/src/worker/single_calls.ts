// Single calls, without a model that stays: in a worker that they share, which ends a few seconds after the last call, or
// in this thread.

import { threads } from '#platform/threads';

import type { ReadOptions, WasmSource } from '../base/types.js';
import type { ModelFile } from '../sources/types.js';
import type { ArgumentsOf, Backend, CallOptions, MethodsOf, ResultOf } from './calls.js';
import { type HostSpec, startHost } from './loading.js';

// Milliseconds. The next call often follows soon.
const linger = 5000;

/** Options of a host that loads no model. */
export interface SingleHostOptions {
  wasm: WasmSource | undefined;
}

export class SingleCalls<Calls> {
  private readonly shared: TransientHost<Calls>;

  constructor(private readonly spec: HostSpec<Calls, object, SingleHostOptions>) {
    this.shared = new TransientHost(spec, undefined, true, linger);
  }

  /** Runs a call in a worker or in this thread, as the options say. */
  async run<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    sources: readonly ModelFile[],
    { wasm, worker = threads.worker }: Pick<ReadOptions, 'wasm' | 'worker'>,
    call: CallOptions,
  ): Promise<ResultOf<Calls[M]>> {
    const isShared = wasm === undefined && worker;
    const host = isShared ? this.shared : new TransientHost(this.spec, wasm, worker, 0);
    const backend = await host.enter();
    try {
      return await backend.call(method, args, { ...call, sources });
    } finally {
      host.leave();
    }
  }
}

/** A host that lives as long as calls use it, and `lingerMs` longer. */
class TransientHost<Calls> {
  private starting: Promise<Backend<Calls, object>> | undefined;
  private users = 0;
  private ending: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly spec: HostSpec<Calls, object, SingleHostOptions>,
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

  leave(): void {
    if (--this.users > 0) return;
    this.ending = setTimeout(() => this.end(), this.lingerMs);
    // The timer must not keep the process alive.
    (this.ending as { unref?(): void }).unref?.();
  }

  private async start(): Promise<Backend<Calls, object>> {
    const { spec, wasm, worker } = this;
    const watch = { worker, signal: undefined, onProgress: undefined };
    const { backend } = await startHost(spec, [], { wasm }, watch, []);
    return backend;
  }

  private end(): void {
    const started = this.starting;
    this.starting = undefined;
    void started?.then((backend) => backend.close());
  }
}
