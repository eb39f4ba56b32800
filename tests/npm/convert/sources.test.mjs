// The sources of a conversion's input, and how much of it is read.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert, inspect, readTensor } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { run } from '../helpers/program.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { collect, streamOf } from '../helpers/streams.mjs';

const path = 'amb/llama-f32.amb';
const bytes = fixtureFile(path);
const options = { to: 'amb', quantize: 'int4block', groupSize: 32 };

/** Answers from `file`, a function of position and length, as a server with or without range requests does. */
async function serve(size, file, { ranges = true } = {}) {
  const server = await listen((request, response) => {
    const [from, to] =
      /^bytes=(\d+)-(\d+)$/
        .exec(request.headers.range ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    if (!ranges || from === undefined) return response.writeHead(200, { 'content-length': size }).end(file(0, size));
    const last = Math.min(to, size - 1);
    response.writeHead(206, { 'content-range': `bytes ${from}-${last}/${size}` }).end(file(from, last + 1 - from));
  });
  const bytesAsked = () =>
    server.requests.reduce((sum, { range }) => {
      const [from, to] = range.match(/\d+/g).map(Number);
      return sum + Math.min(to + 1, size) - from;
    }, 0);
  return Object.assign(server, { bytesAsked });
}
const serveBytes = (file, settings) => serve(file.length, (from, count) => file.subarray(from, from + count), settings);

describe('the same output from', () => {
  let expected;
  beforeAll(async () => {
    expected = await collect(convert(fixturePath(path), options));
  });

  const sources = {
    bytes: () => bytes,
    'a Blob': () => new Blob([bytes]),
    'a Response': () => new Response(bytes),
    'a stream of single bytes': () => streamOf(bytes, 1),
    'a stream of long chunks': () => streamOf(bytes, 50_000),
    'an async generator': async function* () {
      yield bytes.subarray(0, 30_000);
      yield bytes.subarray(30_000);
    },
    'a data: URL': () => `data:;base64,${Buffer.from(bytes).toString('base64')}`,
  };
  test.each(Object.keys(sources))('%s', async (kind) => {
    const source = kind === 'an async generator' ? sources[kind].call() : sources[kind]();
    expect(Buffer.compare(await collect(convert(source, options)), expected)).toBe(0);
  });

  test.each([true, false])('a server, with range requests: %s', async (ranges) => {
    const server = await serveBytes(bytes, { ranges });
    expect(Buffer.compare(await collect(convert(server.url, options)), expected)).toBe(0);
    if (!ranges) expect(server.requests).toHaveLength(1);
    await server.close();
  });
});

describe('a large file on a server', () => {
  let server;
  afterEach(() => server?.close());
  // 300 MB that are made while they are read: after a header, all bytes of a tensor are its number.
  const rows = 75;
  const bytesPerRow = 4 << 20;
  const entries = Array.from({ length: rows }, (_, i) => [
    `layer.${String(i).padStart(2, '0')}`,
    { dtype: 'F32', shape: [1024, 1024], data_offsets: [i * bytesPerRow, (i + 1) * bytesPerRow] },
  ]);
  const json = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const head = Buffer.alloc(8 + json.length);
  head.writeBigUInt64LE(BigInt(json.length));
  json.copy(head, 8);
  const size = head.length + rows * bytesPerRow;
  const file = (from, count) => {
    const bytes = Buffer.alloc(count);
    for (let row = 0; row < rows; ++row) {
      const begin = head.length + row * bytesPerRow - from;
      bytes.fill(row, Math.min(Math.max(begin, 0), count), Math.min(Math.max(begin + bytesPerRow, 0), count));
    }
    head.subarray(from).copy(bytes);
    return bytes;
  };

  test('is inspected from its header', async () => {
    server = await serve(size, file);
    const { tensors, fileSize } = await inspect(server.url);
    expect(tensors).toHaveLength(rows);
    expect(fileSize).toBe(size);
    expect(server.requests).toHaveLength(1);
    expect(server.bytesAsked()).toBe(64 << 10);
  });

  test('gives one tensor without the others', async () => {
    server = await serve(size, file);
    const { data } = await readTensor(server.url, 'layer.40');
    expect(data).toHaveLength(1 << 20);
    expect(new Set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))).toEqual(new Set([40]));
    expect(server.bytesAsked()).toBeLessThan(2 * bytesPerRow);
  });

  test('that changes while it is read is an error', async () => {
    let answers = 0;
    server = await listen((request, response) => {
      const [from, to] = request.headers.range.match(/\d+/g).map(Number);
      const total = ++answers > 1 ? size + 1 : size;
      response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${total}` }).end(file(from, to + 1 - from));
    });
    expect(await failureOf(readTensor(server.url, 'layer.40'))).toMatchObject({ code: 'IO', reason: 'read_failed' });
  });

  test('is converted in little memory, from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quintet-convert-'));
    const model = join(folder, 'model.safetensors');
    writeFileSync(model, head);
    truncateSync(model, size);
    try {
      const { written, peak } = await run(
        `import { convert } from 'quintet';
         import { peakResident } from './tests/npm/helpers/peak_resident.mjs';
         let written = 0;
         for await (const part of convert(${JSON.stringify(model)}, { to: 'safetensors', quantize: 'f16' })) written += part.length;
         console.log(JSON.stringify({ written, peak: peakResident() / 1024 }));`,
      );
      expect(written).toBeGreaterThan((rows * bytesPerRow) / 2);
      expect(written).toBeLessThan((rows * bytesPerRow) / 2 + 100_000);
      // An idle Node takes about 45 of these.
      expect(peak).toBeLessThan(3 * (bytesPerRow / 2 ** 20) + 200);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('several files', () => {
  test('shards become one file, in any order', async () => {
    const tensor = (value) => ({ dtype: 'F32', shape: [3], data: new Float32Array(3).fill(value) });
    const first = await writeSafetensors([
      ['a', tensor(1)],
      ['c', tensor(3)],
    ]);
    const second = await writeSafetensors([['b', tensor(2)]]);
    const whole = await writeSafetensors([
      ['a', tensor(1)],
      ['b', tensor(2)],
      ['c', tensor(3)],
    ]);
    for (const folder of [
      { 'model-00001-of-00002.safetensors': first, 'model-00002-of-00002.safetensors': new Blob([second]) },
      { 'model-00002-of-00002.safetensors': streamOf(second, 7), 'model-00001-of-00002.safetensors': first },
    ]) {
      expect((await readSafetensors(await collect(convert(folder, { to: 'safetensors' })))).tensors).toEqual(
        (await readSafetensors(whole)).tensors,
      );
    }
    const twice = { 'a.safetensors': first, 'b.safetensors': first };
    expect(await failureOf(collect(convert(twice, { to: 'safetensors' })))).toMatchObject({
      code: 'INPUT',
      reason: 'duplicate',
    });
  });
});
