// The script of the worker: opens one site, and searches it.

import { parent } from '#platform/own_thread';
import { closedError } from '../../base/errors.js';
import { toPlain } from '../../worker/protocol.js';
import { SiteReader } from '../reader/site_reader.js';
import type { FromWorker, ToWorker } from './messages.js';

const calls = new Map<number, AbortController>();
let site: SiteReader | undefined;

const post = (message: FromWorker) => parent.post(message);

async function answer(message: Exclude<ToWorker, { abort: number }>, signal: AbortSignal): Promise<unknown> {
  if (message.name === 'open') {
    const [href, lang] = message.args;
    site = await SiteReader.open(href, { lang, signal });
    return undefined;
  }
  if (!site) throw closedError();
  if (message.name === 'filters') return site.filters();
  const [text, options] = message.args;
  return site.search(text, { ...options, signal });
}

parent.listen(async (received) => {
  const message = received as ToWorker;
  if ('abort' in message) {
    calls.get(message.abort)?.abort();
    return;
  }
  const { call } = message;
  const controller = new AbortController();
  calls.set(call, controller);
  try {
    const value = await answer(message, controller.signal);
    post({ call, bytes: site?.bytes ?? 0, value });
  } catch (error) {
    post({ call, bytes: site?.bytes ?? 0, error: toPlain(error) });
  } finally {
    calls.delete(call);
  }
});
post({ ready: true });
