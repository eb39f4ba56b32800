// What a page and the worker that searches for it say to each other.

import type { PlainError } from '../../worker/protocol.js';
import type { SiteHit, SiteSearchOptions } from '../types.js';

/** Options without what only the page has. */
export type PlainSearchOptions = Omit<SiteSearchOptions, 'signal'>;

export interface Calls {
  open: { args: [href: string, lang: string]; value: undefined };
  search: { args: [text: string, options: PlainSearchOptions]; value: SiteHit[] };
  filters: { args: []; value: Record<string, Record<string, number>> };
}

export type CallName = keyof Calls;

export type ToWorker =
  | { [Name in CallName]: { call: number; name: Name; args: Calls[Name]['args'] } }[CallName]
  | { abort: number };

/** Every call is answered once. `bytes`: downloaded so far. */
export type FromWorker =
  | { ready: true }
  | { call: number; bytes: number; value: unknown }
  | { call: number; bytes: number; error: PlainError };
