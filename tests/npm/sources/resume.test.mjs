// A download that breaks off continues where it was, if it is certain that the file is still the same.

import { readFileSync } from 'node:fs';
import { Embedder, TextGenerator } from 'quintet';
import { storyteller } from '../../../models/index.js';
import { base, baseRows, bytesOf, expectRows, texts } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { etag, serveFile } from '../helpers/servers/file_server.mjs';

const file = bytesOf(base);
const lastModified = 'Wed, 01 Jan 2025 00:00:00 GMT';
const dated = { etag: undefined, 'last-modified': lastModified };

let server;
beforeAll(async () => {
  server = await serveFile(file);
});
afterAll(() => server.close());
beforeEach(() => {
  server.plans.length = 0;
  server.requests.length = 0;
});

/** Breaks off the connection when this many bytes have been read. */
const breakingAt = (bytes) => ({
  onProgress: ({ stage, loaded }) => stage === 'download' && loaded === bytes && server.breakOff(),
});

async function expectModel(options, source = server.url) {
  const embedder = await Embedder.load(source, options);
  expectRows(await embedder.embed(texts.slice(0, 2)), baseRows.slice(0, 2));
  embedder.close();
}

const asked = () => server.requests.map(({ range }) => range && Number(/^bytes=(\d+)-$/.exec(range)[1]));

describe.each([
  ['in this thread', false],
  ['in a worker', true],
])('%s', (_, worker) => {
  test.each([1, 63, 4096, file.length >> 1, file.length - 1])('broken off after %d bytes', async (cut) => {
    server.plans.push({ hang: cut });
    const loaded = [];
    const { onProgress } = breakingAt(cut);
    await expectModel({
      worker,
      onProgress(event) {
        if (event.stage === 'download') loaded.push(event.loaded);
        onProgress(event);
      },
    });
    expect(asked()).toEqual([undefined, cut]);
    expect(server.requests[1].ifRange).toBe(etag);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(loaded.at(-1)).toBe(file.length);
  });

  test('interrupted repeatedly', async () => {
    server.plans.push({ cut: 5000 }, { cut: 1 }, { status: 503 }, { cut: 30_000 });
    await expectModel({ worker });
    // Bytes that arrive right before the end may be lost.
    expect(asked()).toEqual([
      undefined,
      ...asked()
        .slice(1)
        .sort((a, b) => a - b),
    ]);
    expect(asked()).toHaveLength(5);
  });
});

test('a date may identify a file', async () => {
  server.plans.push({ hang: 100, headers: dated }, { headers: dated });
  await expectModel(breakingAt(100));
  expect(asked()).toEqual([undefined, 100]);
  expect(server.requests[1].ifRange).toBe(lastModified);
});

test("an answer need not repeat the file's identity if the request named it", async () => {
  server.plans.push({ hang: 100 }, { headers: { etag: undefined } });
  server.plans[1].headers['last-modified'] = etag; // what If-Range is compared with
  await expectModel(breakingAt(100));
});

test('a server without ranges starts over, and bytes already received are skipped', async () => {
  server.plans.push({ hang: 50_000 }, { ranges: false, cut: 60_000 }, { ranges: false });
  await expectModel(breakingAt(50_000));
  expect(asked()[1]).toBe(50_000);
  expect(asked()).toHaveLength(3);
});

test('request headers are kept', async () => {
  server.plans.push({ hang: 100 });
  await expectModel(breakingAt(100), new Request(server.url, { headers: { authorization: 'Bearer x' } }));
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', 'Bearer x']);
});

test('a text generator', async () => {
  const whole = readFileSync(storyteller);
  server.plans.push({ file: whole, hang: 500_000 }, { file: whole });
  const generator = await TextGenerator.load(server.url, breakingAt(500_000));
  expect(await generator.generate('', { temperature: 0, maxTokens: 5 }).text()).toMatch(/^Once upon a/);
  generator.close();
  expect(asked()).toEqual([undefined, 500_000]);
});

/** Changed when it is asked for, however long the tests before take. */
const before = {
  get 'last-modified'() {
    return new Date().toUTCString();
  },
  etag: undefined,
};
const other = file.subarray(0, file.length - 1);

test.each([
  ['the file is another', [{ hang: 999 }, { headers: { etag: '"second"' } }], /has changed$/, 2],
  [
    'the file is another, without ranges',
    [{ hang: 999 }, { headers: { etag: '"second"' }, ranges: false }],
    /has changed$/,
    2,
  ],
  ['the file has another size', [{ hang: 999 }, { file: other }], /has changed$/, 2],
  [
    'another part comes',
    [{ hang: 999 }, { headers: { 'content-range': `bytes 0-9/${file.length}` } }],
    /has changed$/,
    2,
  ],
  ['the part is encoded', [{ hang: 999 }, { headers: { 'content-encoding': 'br' } }], /has changed$/, 2],
  ['the file is gone', [{ hang: 999 }, { status: 404 }], /HTTP status 404$/, 2],
  ['nothing identifies the file', [{ hang: 999, headers: { etag: undefined } }], /cannot read the source/, 1],
  ['the ETag is weak', [{ hang: 999, headers: { etag: 'W/"first"' } }], /cannot read the source/, 1],
  ['the file was changed just now', [{ hang: 999, headers: before }], /cannot read the source/, 1],
])('not if %s', async (_, plans, why, requests) => {
  server.plans.push(...plans);
  const error = await failureOf(() => Embedder.load(server.url, breakingAt(999)));
  expect(error).toMatchObject({ code: 'IO', reason: 'read_failed' });
  expect(error.message).toMatch(why);
  expect(error.message).toContain(`broke off after 999 of ${file.length} bytes`);
  expect(server.requests).toHaveLength(requests);
});

test('in the end it gives up', async () => {
  server.plans.push({ hang: 999 }, { status: 500 }, { cut: 0 }, { status: 429 });
  const error = await failureOf(() => Embedder.load(server.url, breakingAt(999)));
  expect(error).toMatchObject({ code: 'IO', reason: 'read_failed' });
  expect(error.message).toContain(`broke off after 999 of ${file.length} bytes`);
  expect(server.requests).toHaveLength(4);
});

test('an abort while it waits for the next try', async () => {
  for (const worker of [false, true]) {
    server.plans.push({ cut: 999 }, { status: 503 }, { status: 503 });
    const controller = new AbortController();
    const reached = new Promise((resolve) => (server.onRequest = ({ range }) => range && resolve()));
    const failure = failureOf(() => Embedder.load(server.url, { worker, signal: controller.signal }));
    await reached;
    controller.abort();
    expect((await failure).code).toBe('ABORTED');
    server.plans.length = 0;
  }
  expect(server.requests).toHaveLength(4);
});
