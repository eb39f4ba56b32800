// quintet serve as its clients see it: a separate process, over real connections.
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Embedder, TextGenerator } from 'quintet';
import { clientOf, killServers, post, raw, serve, story, vectors } from './server_process.mjs';

afterAll(killServers);

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

  test("a page of another origin may not ask, nor one that uses this machine's name", async () => {
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

  test('the log has each request, and none of its content', async () => {
    await started();
    const before = server.log.length;
    await post(server, '/v1/completions?token=hidden', { model: 'story', prompt: 'confidential', max_tokens: 1 });
    // A line is written when its answer has been sent; those of clients that left may come meanwhile.
    const written = () => server.log.slice(before).match(/^.*"status":200,.*\n/m)?.[0];
    while (!written()) await once(server.child.stdout, 'data');
    const entry = JSON.parse(written());
    expect(entry).toMatchObject({ method: 'POST', path: '/v1/completions', status: 200 });
    expect(Object.keys(entry)).toEqual(['time', 'method', 'path', 'status', 'ms', 'bytes']);
    expect(server.log).not.toMatch(/confidential|hidden/);
  });

  test('SIGTERM lets running answers finish', async () => {
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
  test('a key is required, and is not in the log', async () => {
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

  test('a missing file is an error of its request, and the server continues', async () => {
    const server = await serve(['none.gguf']);
    const answer = await post(server, '/v1/completions', { model: 'none', prompt: 'A' });
    expect(answer.status).toBe(500);
    expect((await answer.json()).error.message).toMatch(/none\.gguf/);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });
});
