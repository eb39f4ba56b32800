// Requests that no client of the protocol would send, and that a proxy and the server may read differently: requests
// within requests, hosts within hosts, paths within paths.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { killServers, raw, serve, story } from './server_process.mjs';

let server;
beforeAll(async () => {
  server = await serve([`story=${story}`, '--max-body', '1KB', '--max-requests', '8'], { QUINTET_API_KEY: 'sesame' });
});
afterAll(killServers);

const key = 'Authorization: Bearer sesame';
const body = JSON.stringify({ model: 'story', prompt: 'A', max_tokens: 1, temperature: 0 });
/** Within a body that ends earlier than it looks, or later. */
const hidden = `GET /v1/models HTTP/1.1\r\nHost: localhost\r\n${key}\r\n\r\n`;

const get = (target, headers = ['Host: localhost', key], version = 'HTTP/1.1') =>
  `GET ${target} ${version}\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
const post = (headers, content) =>
  `POST /v1/completions HTTP/1.1\r\n${['Host: localhost', key, ...headers].join('\r\n')}\r\n\r\n${content}`;
const chunked = (content) => `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;
const statuses = (answer) => [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

describe('bodies with ambiguous lengths are rejected, and what follows is not taken for a request', () => {
  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3'], `{}${hidden}`],
    ['two lengths that are the same', ['Content-Length: 2', 'Content-Length: 2'], `{}${hidden}`],
    ['a list of lengths', ['Content-Length: 2, 2'], `{}${hidden}`],
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${hidden}`],
    ['chunks within something else', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`],
    ['nearly chunks', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`],
    ['a header that continues on the next line', ['Transfer-Encoding:', ' chunked'], `0\r\n\r\n${hidden}`],
    ['a length with a sign', ['Content-Length: +2'], `{}${hidden}`],
    ['a length below zero', ['Content-Length: -2'], `{}${hidden}`],
    ['a length in another base', ['Content-Length: 0x2'], `{}${hidden}`],
    ['a length beyond all numbers', ['Content-Length: 18446744073709551618'], `{}${hidden}`],
    ['a chunk whose length has a sign', ['Transfer-Encoding: chunked'], `+2\r\n{}\r\n0\r\n\r\n${hidden}`],
    ['a chunk that is longer than it says', ['Transfer-Encoding: chunked'], `2\r\n{}}\r\n0\r\n\r\n${hidden}`],
    ['lines that end in \\n alone', ['X: y\nTransfer-Encoding: chunked\nContent-Length: 0'], `0\r\n\r\n${hidden}`],
    ['a NUL in a header', ['X: a\0b', 'Content-Length: 2'], `{}${hidden}`],
    ['a header without a name', [': x', 'Content-Length: 2'], `{}${hidden}`],
    ['headers of 20 KB', [`X: ${'x'.repeat(20_000)}`, 'Content-Length: 2'], `{}${hidden}`],
    ['2000 headers', Array.from({ length: 2000 }, (_, i) => `X-${i}: ${i}`), hidden],
  ])('%s', async (_, headers, content) => {
    const answer = await raw(server, post(headers, content));
    expect([400, 431]).toContain(statuses(answer)[0]);
    expect(statuses(answer)).toHaveLength(1);
  });

  test('a chunked body that is too large is rejected, and the client may continue', async () => {
    const answer = await raw(
      server,
      post(['Transfer-Encoding: chunked'], chunked('a'.repeat(100_000))) + get('/v1/models'),
    );
    expect(statuses(answer)).toEqual([413, 200]);
  });

  test('pipelined requests are answered in order', async () => {
    const one = post([`Content-Length: ${body.length}`], body);
    const all = one + post(['Content-Length: 1'], '{') + get('/health');
    expect(statuses(await raw(server, all, { staysOpen: true }))).toEqual([200, 400, 200]);
  });
});

describe('targets', () => {
  test.each([
    ['/v1/models', 200],
    ['/v1/models?x=%2e%2e', 200],
    ['http://localhost/v1/models', 200],
    ['HTTP://LOCALHOST:80/v1/models', 200],
    ['http://evil.example/v1/models', 403],
    ['http://localhost@evil.example/v1/models', 403],
    ['http://evil.example@localhost/v1/models', 403],
    ['//v1/models', 400],
    ['//evil.example/v1/models', 400],
    ['/v1//models', 400],
    ['/v1/../v1/models', 400],
    ['/v1/%2e%2e/v1/models', 400],
    ['/.%2e/health', 400],
    ['/v1\\models', 400],
    ['/health#/v1/models', 400],
    ['/v1/mod\tels', 400],
    ['/v1/models\0', 400],
    ['/v1/models/%00', 404],
    ['/v1/models/..%2f..%2fetc%2fpasswd', 404],
    ['/v1/models/%ff', 404],
    ['file:///etc/passwd', 400],
    ['v1/models', 400],
    ['*', 400],
    ['/v1/\u00e9', 400],
  ])('%j: %d', async (target, status) => {
    expect(statuses(await raw(server, get(target)))).toEqual([status]);
  });

  test.each([
    '/v1/models',
    '/health/../v1/models',
    '/health/%2e%2e/v1/models',
    '//health',
    '/health/..;/v1/models',
    '/health;/v1/models',
    '/HEALTH',
  ])('without a key %s is not answered', async (target) => {
    expect([400, 401]).toContain(statuses(await raw(server, get(target, ['Host: localhost'])))[0]);
  });

  test('one of 20 KB', async () => {
    expect(statuses(await raw(server, get(`/${'a'.repeat(20_000)}`)))).toEqual([431]);
  });

  test.each([
    ['two hosts', ['Host: localhost', 'Host: evil.example'], 400],
    ['another host first', ['Host: evil.example', 'Host: localhost'], 400],
    ['no host', [], 400],
    ['a host that begins as this one', ['Host: localhost.evil.example'], 403],
    ['a host with a user', ['Host: localhost@evil.example'], 403],
    ['two origins', ['Host: localhost', 'Origin: http://localhost', 'Origin: http://evil.example'], 403],
  ])('%s: rejected', async (_, headers, status) => {
    expect(statuses(await raw(server, get('/v1/models', [...headers, key])))).toEqual([status]);
  });
});

describe('methods and protocols', () => {
  test.each(['PUT', 'TRACE', 'DELETE', 'PATCH', 'PROPFIND'])('%s is not answered', async (method) => {
    const answer = await raw(server, get('/v1/models').replace('GET', method));
    expect(statuses(answer)).toEqual([405]);
    expect(answer).not.toContain('sesame');
  });

  test.each([
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that does not exist', get('/v1/models', ['Host: localhost', key], 'HTTP/3.7')],
    ['a request of HTTP/0.9', `GET /v1/models\r\n${key}\r\n\r\n`],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
  ])('%s gets nothing', async (_, text) => {
    expect(await raw(server, text)).toMatch(/^(HTTP\/1\.1 40[03] |$)/);
  });

  test('upgrades are ignored: the request is answered as usual', async () => {
    const headers = [
      'Host: localhost',
      key,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AA',
    ];
    expect(statuses(await raw(server, `GET /v1/models HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`))).toEqual([200]);
  });

  test('a header that is repeated in the answer cannot end it', async () => {
    const headers = ['Host: localhost', 'Access-Control-Request-Headers: x%0d%0aSet-Cookie:y=1', 'Connection: close'];
    const answer = await raw(server, `OPTIONS /v1/models HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 204/);
    expect(answer).not.toMatch(/^set-cookie/im);
  });
});

test('requests that never end do not keep others waiting', async () => {
  const half = Array.from({ length: 50 }, () => connect(Number(new URL(server.url).port), '127.0.0.1'));
  await Promise.all(half.map((socket) => once(socket, 'connect')));
  for (const socket of half)
    socket.on('error', () => {}).write('POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nX: ');
  expect(statuses(await raw(server, get('/v1/models')))).toEqual([200]);
  for (const socket of half) socket.destroy();
  expect(server.log + server.errors).not.toContain('sesame');
});
