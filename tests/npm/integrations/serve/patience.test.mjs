// Timeouts of `quintet serve`: a model may take as long as it needs, a client must keep reading. Tested from the
// source, with a limit of a fraction of a second.
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { importSource } from '../../helpers/source.mjs';

const { ModelServer } = await importSource('cli/serve/server.ts');
const { ModelPool } = await importSource('cli/serve/model_pool.ts');

const stalledMs = 400;
let server;
afterEach(() => server.end(0));

/** A server with this handler, and the next entry of its log. */
async function serve(handler) {
  const pool = new ModelPool(new Map(), { idleMs: 0, maxBytes: 0 });
  const rules = { host: '127.0.0.1', port: 0, origins: [], maxBody: 100, maxRequests: 10, stalledMs };
  const logged = new Promise((log) => {
    server = new ModelServer(handler, pool, { ...rules, log });
  });
  return { url: await server.start(), logged };
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test('a model may take longer than a client', async () => {
  const { url } = await serve(async () => {
    await after(1.5 * stalledMs);
    const parts = async function* () {
      yield Buffer.from('first ');
      await after(1.5 * stalledMs);
      yield Buffer.from('last');
    };
    return new Response(ReadableStream.from(parts()));
  });
  expect(await (await fetch(url + '/v1/models')).text()).toBe('first last');
});

test('a client that does not read its answer is cut off', async () => {
  let cancelled;
  const left = new Promise((resolve) => (cancelled = resolve));
  const endless = {
    pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
    cancel: () => cancelled(),
  };
  const { url, logged } = await serve(async () => new Response(new ReadableStream(endless)));
  const asking = request(`${url}/v1/models`).on('error', () => {});
  asking.end();
  const [response] = await once(asking, 'response');
  response.on('error', () => {});
  expect(await logged).toMatchObject({ status: 499, path: '/v1/models' });
  await left;
  response.destroy();
});
