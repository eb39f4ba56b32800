// quintet serve as its clients see it: a process of its own, over real connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Embedder, TextGenerator } from 'quintet';
import { embedder, storyteller } from '../../../models/index.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const story = fileURLToPath(storyteller);
const vectors = fileURLToPath(embedder);
const servers = [];
afterAll(() => servers.forEach(({ child }) => child.kill('SIGKILL')));

/** Starts a server at a free port, and waits until it listens. */
async function serve(args, environment = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = { child, url: '', log: '', errors: '', ended: once(child, 'exit') };
  servers.push(server);
  child.stdout.on('data', (data) => (server.log += data));
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      server.errors += data;
      server.url = /listening at (\S+)/.exec(server.errors)?.[1] ?? '';
      if (server.url) resolve();
    });
    server.ended.then(() => reject(new Error(server.errors)));
  });
  return server;
}

const clientOf = ({ url }, options = {}) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0, ...options });

/** Sends bytes as they are, and gives what comes back until the connection ends. */
async function raw({ url }, text) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data));
  socket.on('error', () => {});
  socket.end(text);
  await once(socket, 'close');
  return answer;
}

const post = ({ url }, path, body, headers = {}) =>
  fetch(url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers });

describe('a server of the bundled models', () => {
  let server;
  const started = async () => (server ??= await serve([`story=${story}`, '--embedder', `vectors=${vectors}`]));

  test("answers OpenAI's client as the models answer in this process", async () => {
    const client = clientOf(await started());
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['story', 'vectors']);
    const generator = await TextGenerator.load(story);
    const expected = await generator.generate('Once upon a time', { temperature: 0, maxTokens: 20 }).text();
    generator.close();
    const asked = { model: 'story', prompt: 'Once upon a time', temperature: 0, max_tokens: 20 };
    expect((await client.completions.create(asked)).choices[0].text).toBe(expected);
    let streamed = '';
    for await (const { choices } of await client.completions.create({ ...asked, stream: true }))
      streamed += choices[0].text;
    expect(streamed).toBe(expected);
    const model = await Embedder.load(vectors);
    const vector = await model.embed('a cat');
    model.close();
    const { data } = await client.embeddings.create({ model: 'vectors', input: 'a cat' });
    expect(Float32Array.from(data[0].embedding)).toEqual(vector);
  });

  test('many at once get what one alone gets', async () => {
    const client = clientOf(await started());
    const ask = (seed) =>
      client.completions
        .create({ model: 'story', prompt: 'The dog', seed, max_tokens: 12 })
        .then((answer) => answer.choices[0].text);
    const seeds = Array.from({ length: 24 }, (_, i) => i % 6);
    const together = await Promise.all(seeds.map(ask));
    for (const [i, seed] of [...seeds.slice(0, 6)].entries()) {
      const alone = await ask(seed);
      for (let at = i; at < seeds.length; at += 6) expect(together[at]).toBe(alone);
    }
  });

  test('a client that leaves ends its generation', async () => {
    const { url } = await started();
    const long = JSON.stringify({ model: 'story', prompt: 'A', max_tokens: 400, stream: true });
    const gone = Array.from({ length: 5 }, async () => {
      const asking = request(`${url}/v1/completions`, { method: 'POST' });
      asking.end(long);
      const [response] = await once(asking, 'response');
      await once(response, 'data');
      response.destroy();
    });
    await Promise.all(gone);
    const { choices } = await clientOf(server).completions.create({ model: 'story', prompt: 'A', max_tokens: 2 });
    expect(choices[0].finish_reason).toBe('length');
  });

  test('the page at / is plain HTML with a policy for its content', async () => {
    const response = await fetch((await started()).url);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  test('a page of another origin may not ask, nor one that takes the name of this machine', async () => {
    const { url } = await started();
    const { port, host } = new URL(url);
    expect((await fetch(`${url}/health`, { headers: { origin: 'https://example.org' } })).status).toBe(403);
    expect((await fetch(`${url}/health`, { headers: { origin: `http://${host}` } })).status).toBe(200);
    expect(
      await raw(server, `GET /health HTTP/1.1\r\nHost: evil.example:${port}\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 403/);
    expect(await raw(server, `GET /health HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 200/,
    );
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1.1 400/],
    [
      'two lengths',
      'POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      /^HTTP\/1.1 400/,
    ],
    [
      'a length and chunks',
      'POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1.1 400/,
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20000)}\r\n\r\n`,
      /^HTTP\/1.1 4(00|31)/,
    ],
    [
      'a path out of the root',
      'GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      /^HTTP\/1.1 404/,
    ],
    [
      'a path that is a URL',
      'GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      /^HTTP\/1.1 (200|404)/,
    ],
  ])('%s is refused, and the server goes on', async (_, text, answer) => {
    expect(await raw(await started(), text)).toMatch(answer);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });

  test('the log has each request, and nothing that was said', async () => {
    await post(await started(), '/v1/completions?token=hidden', {
      model: 'story',
      prompt: 'confidential',
      max_tokens: 1,
    });
    // A line is written when its answer has been sent.
    while (!server.log.endsWith('}\n') || !/\/v1\/completions/.test(server.log.trim().split('\n').at(-1)))
      await once(server.child.stdout, 'data');
    const entry = JSON.parse(server.log.trim().split('\n').at(-1));
    expect(entry).toMatchObject({ method: 'POST', path: '/v1/completions', status: 200 });
    expect(Object.keys(entry)).toEqual(['time', 'method', 'path', 'status', 'ms', 'bytes']);
    expect(server.log).not.toMatch(/confidential|hidden/);
  });

  test('SIGTERM lets what is being answered finish', async () => {
    const { url, child, ended } = await started();
    const body = JSON.stringify({ model: 'story', prompt: 'A', max_tokens: 200, stream: true, temperature: 0 });
    const response = await fetch(`${url}/v1/completions`, { method: 'POST', body });
    child.kill('SIGTERM');
    expect((await response.text()).trim().endsWith('data: [DONE]')).toBe(true);
    expect(await ended).toEqual([0, null]);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });
});

describe('limits', () => {
  test('a key is asked for, and is not in the log', async () => {
    const server = await serve([`story=${story}`], { QUINTET_API_KEY: 'open-sesame' });
    const { url } = server;
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await expect(clientOf(server, { apiKey: 'open-sesam' }).models.list()).rejects.toMatchObject({ status: 401 });
    expect((await clientOf(server, { apiKey: 'open-sesame' }).models.list()).data).toHaveLength(1);
    expect(server.log + server.errors).not.toMatch(/sesam/);
  });

  test('pages of an allowed origin may ask', async () => {
    const { url } = await serve([`story=${story}`, '--cors', 'https://app.example']);
    const headers = { origin: 'https://app.example', 'access-control-request-headers': 'authorization,content-type' };
    const preflight = await fetch(`${url}/v1/chat/completions`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
    const models = await fetch(`${url}/v1/models`, { headers });
    expect(models.headers.get('access-control-allow-origin')).toBe('https://app.example');
  });

  test('bodies and waiting requests', async () => {
    const server = await serve([`story=${story}`, '--max-body', '1KB', '--max-requests', '1']);
    const large = await post(server, '/v1/completions', { model: 'story', prompt: 'a'.repeat(2000) });
    expect([large.status, (await large.json()).error.message]).toEqual([413, 'the body is larger than 1000 bytes']);
    const first = await post(server, '/v1/completions', { model: 'story', prompt: 'A', max_tokens: 300, stream: true });
    const second = await post(server, '/v1/completions', { model: 'story', prompt: 'B', max_tokens: 1 });
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    await first.body.cancel();
    // The client tries again when it is told to.
    const client = clientOf(server, { maxRetries: 5 });
    expect((await client.completions.create({ model: 'story', prompt: 'B', max_tokens: 1 })).choices).toHaveLength(1);
  });

  test.each([
    [['--port', '70000'], /--port takes a number up to 65535/],
    [['--memory', 'much'], /--memory takes a size such as 500MB/],
    [['a.gguf', 'b/a.gguf'], /two models are called 'a'/],
  ])('%j is a mistake', async (args, message) => {
    await expect(serve(args)).rejects.toThrow(message);
  });

  test('a model that does not fit memory is an error of its request', async () => {
    const server = await serve([`story=${story}`, '--memory', '100KB']);
    const answer = await post(server, '/v1/completions', { model: 'story', prompt: 'A' });
    expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'out_of_memory']);
  });

  test('a file that is missing is an error of its request, and the server goes on', async () => {
    const server = await serve(['none.gguf']);
    const answer = await post(server, '/v1/completions', { model: 'none', prompt: 'A' });
    expect(answer.status).toBe(500);
    expect((await answer.json()).error.message).toMatch(/none\.gguf/);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });
});
