// What differs between browsers and Node. The build puts browser_platform.ts or node_platform.ts in the place of
// 'quintet-platform'.

import type { ByteSource } from './byte_source.js';

/** One side of a conversation between two threads. */
export interface Endpoint {
  post(message: unknown, transfer?: Transferable[]): void;
  listen(onMessage: (message: unknown) => void): void;
}

/** A running worker, seen from outside. */
export interface WorkerEndpoint extends Endpoint {
  /** Called when the worker cannot be started or ends by itself. */
  onFailure(failed: (reason: string) => void): void;
  /** Whether the process must stay alive for it; browsers know no such thing. */
  hold(busy: boolean): void;
  terminate(): void;
}

export interface Platform {
  /** Whether models are loaded in a worker where the caller does not say. */
  readonly worker: boolean;
  /** Whether every Blob can be sent to a worker. */
  readonly sendsBlobs: boolean;
  /** The URL that a string means. */
  resolve(location: string): URL;
  openFile(location: URL): Promise<ByteSource>;
  /** Throws where workers cannot be had. */
  startWorker(): WorkerEndpoint;
  /** The other side, within a worker. */
  parent(): Endpoint;
}
