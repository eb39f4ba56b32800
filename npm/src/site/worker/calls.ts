// The messages between a page and the worker that searches for it.

import type { PlainError } from '../../worker/protocol.js';
import type { EmbedderEntry } from '../format/files.js';
import type { SearchRequest } from '../reader/search_options.js';
import type { SearchedSite } from '../reader/site_reader.js';

/** The worker has this name, which shows its script that it is not merely imported. */
export const workerName = 'quintet-site';

/** The calls to the worker: each call is answered once, except for `abort`, which names the call that is given up. */
export type SiteCall =
  | { call: number; kind: 'open'; location: string; lang: string }
  | { call: number; kind: 'search'; text: string; options: Omit<SearchRequest, 'signal'> }
  | { call: number; kind: 'filters' }
  | { call: number; kind: 'abort' };

/** The answer to `open`. */
export interface Opened {
  embedder: EmbedderEntry | undefined;
}

/** The type of a call without its number. */
export type Asked = SiteCall extends infer Each ? (Each extends SiteCall ? Omit<Each, 'call'> : never) : never;

export interface SiteReply {
  call: number;
  value?: unknown;
  error?: PlainError;
  /** Downloaded so far. */
  bytes: number;
  /** As Site has it. */
  problem?: string | undefined;
}

/** The worker's first message: its script has been loaded. */
export const ready = 'ready';

/** The exports of the script, for pages whose policy allows no worker. */
export interface SiteWorkerModule {
  openSite(location: string | URL, options?: { lang?: string; signal?: AbortSignal }): Promise<SearchedSite>;
}
