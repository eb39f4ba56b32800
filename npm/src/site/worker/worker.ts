// The script of the worker that searches for a page. Importing it on a page has no effect.

import { toPlain } from '../../worker/protocol.js';
import { openSite } from '../open_site.js';
import type { SearchedSite } from '../reader/site_reader.js';
import { type Opened, ready, type SiteCall, type SiteReply, workerName } from './calls.js';

export { openSite };

interface WorkerScope {
  name?: string;
  postMessage(message: SiteReply | typeof ready): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<SiteCall>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;

if (scope.name === workerName && typeof document === 'undefined') listen();

function listen(): void {
  let site: SearchedSite | undefined;
  const running = new Map<number, AbortController>();
  const answer = async (call: SiteCall): Promise<unknown> => {
    const { signal } = running.get(call.call)!;
    if (call.kind === 'open') {
      site = await openSite(call.location, { lang: call.lang, signal });
      return { embedder: site.embedder } satisfies Opened;
    }
    if (!site) throw new Error(`'${call.kind}' before 'open'`);
    return call.kind === 'search' ? site.search(call.text, { ...call.options, signal }) : site.filters();
  };
  scope.addEventListener('message', async ({ data: call }) => {
    if (call.kind === 'abort') return running.get(call.call)?.abort();
    running.set(call.call, new AbortController());
    const reply: SiteReply = { call: call.call, bytes: 0 };
    try {
      reply.value = await answer(call);
    } catch (error) {
      reply.error = toPlain(error);
    }
    running.delete(call.call);
    scope.postMessage({ ...reply, bytes: site?.bytes ?? 0, problem: site?.problem });
  });
  scope.postMessage(ready);
}
