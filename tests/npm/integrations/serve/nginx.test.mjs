// Two servers behind nginx, configured as docs/server.md shows, of which one dies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { clientOf, killServers, serve, story } from './server_process.mjs';

const folder = mkdtempSync(join(tmpdir(), 'quintet-nginx-'));
const proxies = [];
afterAll(async () => {
  killServers();
  for (const { child, ended } of proxies) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

const guide = readFileSync(new URL('../../../../docs/server.md', import.meta.url), 'utf8');
const [, shown] = /```nginx\n(.*?)```/s.exec(guide);

/** nginx before these servers, at a free port of this machine instead of TLS. */
async function nginx(servers) {
  const port = await freePort();
  let site = shown.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`);
  servers.forEach(({ url }, i) => {
    site = site.replace(`10.0.0.${i + 1}:8080`, new URL(url).host);
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const own = `access_log off; ${temporary.join(' ')}`;
  const config = join(folder, `${port}.conf`);
  const process = `daemon off; master_process off; pid ${folder}/${port}.pid; error_log stderr info;`;
  writeFileSync(config, `${process} events {} http { ${own}\n${site} }`);
  const child = spawn('nginx', ['-p', folder, '-c', config, '-e', 'stderr'], {
    env: { PATH: `${globalThis.process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const proxy = { child, url: `http://127.0.0.1:${port}`, errors: '', ended: once(child, 'exit') };
  proxies.push(proxy);
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      proxy.errors += data;
      if (/start|epoll/.test(proxy.errors)) resolve();
    });
    proxy.ended.then(() => reject(new Error(proxy.errors)), reject);
  });
  return proxy;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

// They listen as servers for other machines do.
const serveOthers = (...args) => serve([`story=${story}`, '--host', '127.0.0.2', ...args]);
const asked = (seed) => ({ model: 'story', prompt: 'The dog', seed, max_tokens: 60 });
const textOf = ({ choices }) => choices[0].text;

test('one of two servers dies while it answers, and every request is answered', async () => {
  const [first, second] = await Promise.all([serveOthers(), serveOthers()]);
  const proxy = await nginx([first, second]);
  const client = clientOf(proxy);
  const alone = clientOf(second);
  const seeds = [1, 2, 3, 4, 5, 6];
  const expected = await Promise.all(seeds.map(async (seed) => textOf(await alone.completions.create(asked(seed)))));
  const ask = async (i) => textOf(await client.completions.create(asked(seeds[i % seeds.length])));
  const asking = Array.from({ length: 24 }, (_, i) => ask(i));
  // It is in the middle of others then.
  while (!first.log.includes('/v1/completions')) await once(first.child.stdout, 'data');
  first.child.kill('SIGKILL');
  expect(await Promise.all(asking)).toEqual(asking.map((_, i) => expected[i % seeds.length]));
  expect(proxy.errors).toMatch(/upstream prematurely closed connection|Connection reset/);
  // Later requests, too, and streams.
  expect(await Promise.all(seeds.map((_, i) => ask(i)))).toEqual(expected);
  let streamed = '';
  for await (const chunk of await client.completions.create({ ...asked(1), stream: true })) streamed += textOf(chunk);
  expect(streamed).toBe(expected[0]);
  const own = await fetch(`${proxy.url}/v1/models`, { headers: { origin: proxy.url } });
  expect(own.status).toBe(200);
}, 60_000);

test('a server that is full or shutting down passes requests on', async () => {
  const [first, second] = await Promise.all([serveOthers('--max-requests', '1'), serveOthers('--max-requests', '1')]);
  const client = clientOf(await nginx([first, second]));
  // Loads both models, so that the long answers begin together.
  await Promise.all([first, second].map((server) => clientOf(server).completions.create(asked(1))));
  const long = { ...asked(1), max_tokens: 300, stream: true };
  const [one, two] = await Promise.all([client.completions.create(long), client.completions.create(long)]);
  await expect(client.completions.create(asked(1))).rejects.toMatchObject({ status: 429 });
  one.controller.abort();
  two.controller.abort();
  const retrying = clientOf({ url: client.baseURL.replace(/\/v1$/, '') }, { maxRetries: 5 });
  const answer = textOf(await retrying.completions.create(asked(1)));
  first.child.kill('SIGTERM');
  await first.ended;
  expect(textOf(await client.completions.create(asked(1)))).toBe(answer);
}, 60_000);
