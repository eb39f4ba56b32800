// A loaded model as the object of a public class holds it: where it runs, the order of its calls, and its end.

import { CallQueue } from '../base/call_queue.js';
import type { LoadedModelInfo, RuntimeInfo } from '../base/types.js';
import type { ArgumentsOf, Backend, CallOptions, MethodsOf, ModelDescription, ResultOf } from './calls.js';
import type { LoadedModel } from './loading.js';

/** A model whose object nobody holds any more is closed. */
const forgotten = new FinalizationRegistry<{ close(): void }>((backend) => backend.close());

let latestRuntime: RuntimeInfo | undefined;

/** How the model that was loaded last runs. */
export const lastRuntime = (): RuntimeInfo | undefined => latestRuntime;

export class ModelHandle<Calls, D extends ModelDescription> {
  /** What the file says, and how it runs. */
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

  /** Closes the model at the latest when `owner` is forgotten. */
  ownedBy(owner: object): void {
    forgotten.register(owner, this.backend, this);
  }

  /** Calls a method of the model, after all calls before. */
  call<M extends MethodsOf<Calls>>(
    method: M,
    args: ArgumentsOf<Calls[M]>,
    options: CallOptions = {},
  ): Promise<ResultOf<Calls[M]>> {
    return this.queue.run(() => this.backend.call(method, args, options), { signal: options.signal });
  }

  /** Ends all calls with CLOSED, and frees the model. */
  close(): void {
    forgotten.unregister(this);
    this.queue.close();
    this.backend.close();
  }
}
