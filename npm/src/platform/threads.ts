// How browsers, service workers and Node differ in their workers: `#platform/threads` starts them, `#platform/parent` is what
// a worker has of the one that started it. They are apart because bundlers would bundle a worker for the worker that knows
// how one is started.

/** One side of a conversation between two threads. */
export interface Endpoint {
  post(message: unknown, transfer?: Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** What started a worker, seen from inside. */
export interface Parent extends Endpoint {
  /** Takes a lock for as long as the worker lives, where nothing else would tell of its end. */
  holdLock?(): Promise<string | undefined>;
}

/** A running worker, seen from outside. */
export interface WorkerEndpoint extends Endpoint {
  /** Called when the worker cannot be started or ends by itself. */
  onFailure(failed: (reason: string) => void): void;
  /** Fails as soon as somebody else could get the lock that the worker holds as long as it lives. */
  watch?(lock: string): void;
  /** Whether the process must stay alive for it; browsers know no such thing. */
  hold(busy: boolean): void;
  terminate(): void;
}

/** The script of a worker: each kind of work has its own, so that a page downloads one engine. */
export type WorkerScript =
  | 'embedder_worker'
  | 'generator_worker'
  | 'memory64_worker'
  | 'classifier_worker'
  | 'files_worker'
  | 'compute_thread';

export interface Threads {
  /** Whether models are loaded in a worker where the caller does not say. */
  readonly worker: boolean;
  /** Whether every Blob can be sent to a worker. */
  readonly sendsBlobs: boolean;
  /** Throws where workers cannot be had. */
  startWorker(script: WorkerScript): WorkerEndpoint;
}

/** The machine, as this platform tells of it: `#platform/processors`. */
export interface Processors {
  /** Threads that the machine runs at once. */
  count(): number;
  /** Why this thread may not wait for others, though memory can be shared. */
  refusal(): string | undefined;
}
