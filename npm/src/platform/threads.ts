// The workers of browsers, service workers and Node: `#platform/threads` starts them, `#platform/own_thread` is the
// other side, inside a worker. They are separate because bundlers would bundle all workers into every worker that can
// start one.

/** One side of a conversation between two threads. */
export interface Endpoint {
  post(message: unknown, transfer?: Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** The thread that started a worker, seen from inside the worker. */
export interface Parent extends Endpoint {
  /** Whether another copy of the worker's script listens already. */
  readonly isHeard?: boolean;
  /** Holds a lock as long as the worker lives, on platforms where nothing else signals its end. */
  holdLock?(): Promise<string | undefined>;
}

/** A running worker, seen from outside. */
export interface WorkerEndpoint extends Endpoint {
  /** `failed` is called if the worker cannot be started or ends unexpectedly. */
  onFailure(failed: (reason: string) => void): void;
  /** Reports a failure when the lock that the worker holds becomes free. */
  watch?(lock: string): void;
  /** Whether the worker keeps the process alive. No effect in browsers. */
  hold(busy: boolean): void;
  terminate(): void;
}

/** The worker scripts. Each feature has its own, so that a page downloads only the engine that it uses. */
export type WorkerScript = `${string}_worker` | 'compute_thread';

export interface Threads {
  /** Default of the option `worker`. */
  readonly worker: boolean;
  /** Whether every Blob can be sent to a worker. */
  readonly sendsBlobs: boolean;
  /** Resolves when all terminated workers have ended, on platforms where no worker may start before. */
  ended?(): Promise<unknown>;
  /** Throws if workers are not available. */
  startWorker(script: WorkerScript): WorkerEndpoint;
}

/** The processors of the machine: `#platform/own_thread`. */
export interface Processors {
  /** Number of threads that the machine runs at once. */
  count(): number;
  /** Why this thread cannot use several compute threads, even if memory can be shared. */
  refusal(): string | undefined;
}
