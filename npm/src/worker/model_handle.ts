// A loaded model, as used by the public classes: its backend, the queue of its calls, and its end.

import { CallQueue } from '../base/call_queue.js';
import type { LoadedModelInfo, RuntimeInfo } from '../base/types.js';
import type { ArgumentsOf, Backend, CallOptions, MethodsOf, ModelDescription, ResultOf } from './calls.js';
import type { LoadedModel } from './loading.js';

/** Closes models whose owner was garbage-collected. */
const forgotten = new FinalizationRegistry<{ close(): void }>((backend) => backend.close());

let latestRuntime: RuntimeInfo | undefined;

/** The environment of the model that was loaded last. */
export const lastRuntime = (): RuntimeInfo | undefined => latestRuntime;

export class ModelHandle<Calls, D extends ModelDescription> {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  readonly backend: Backend<Calls, D>;
  readonly queue = new CallQueue();

  constructor({ backend, runtime }: LoadedModel<Calls, D>) {
    this.backend = backend;
    this.info = { ...backend.description.info, runtime };
    latestRuntime = runtime;
  }

  get description(): D {
    return this.backend.description;
  }

  /** Closes the model when `owner` is garbage-collected, if it was not closed before. */
  ownedBy(owner: object): void {
    this.queue.owner = owner;
    forgotten.register(owner, this.backend, this);
  }

  /** Calls a method of the host, after all earlier calls. */
  call<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    options: CallOptions = {},
  ): Promise<ResultOf<Calls[M]>> {
    return this.queue.run(() => this.backend.call(method, args, options), { signal: options.signal });
  }

  /** Rejects all calls with CLOSED, and frees the model. */
  close(): void {
    forgotten.unregister(this);
    this.queue.close();
    this.backend.close();
  }
}
