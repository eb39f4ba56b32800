// openSafetensors: single tensors, and no more of a file than they need.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fromFloat32, openSafetensors, readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { streamOf } from '../helpers/streams.mjs';

const fixture = (path) => fileURLToPath(new URL(`../../fixtures/safetensors/${path}`, import.meta.url));
const dtypes = new Uint8Array(readFileSync(fixture('dtypes.safetensors')));

const values = Float32Array.from({ length: 300_000 }, (_, i) => i);
const large = await writeSafetensors({
  a: { dtype: 'F32', shape: [300, 1000], data: values },
  b: { dtype: 'F32', shape: [1000, 300], data: values.map((x) => -x) },
  half: { dtype: 'F16', shape: [4], data: Float32Array.of(1, 2, 3, 4) },
});
const headerEnd = 8 + Number(new DataView(large.buffer).getBigUint64(0, true));

/** A Blob that records which bytes were read. */
function watchedBlob(bytes) {
  const reads = [];
  const blob = new Blob([bytes]);
  blob.slice = (begin, end) => {
    reads.push([begin, end]);
    return new Blob([bytes.subarray(begin, end)]);
  };
  return { blob, reads };
}

/** Answers range requests; `sent` counts the bytes. */
async function rangeServer(bytes) {
  const server = await listen((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
    const part = bytes.subarray(from, to + 1);
    server.sent += part.length;
    response.writeHead(206, { 'content-range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` });
    response.end(part);
  });
  return Object.assign(server, { sent: 0 });
}

test('every kind of source gives what readSafetensors gives', async () => {
  const { tensors, metadata } = await readSafetensors(dtypes);
  const sources = [
    dtypes,
    dtypes.buffer.slice(0),
    new Blob([dtypes]),
    new Response(dtypes),
    fixture('dtypes.safetensors'),
  ];
  for (const source of [...sources, streamOf(dtypes, 100)]) {
    const file = await openSafetensors(source);
    expect(file.metadata).toEqual(metadata);
    expect([...file.tensors.keys()]).toEqual([...tensors.keys()]);
    // All at once: a source's buffer serves one read after another.
    const read = await Promise.all([...file.tensors.values()].map((tensor) => tensor.read()));
    expect(read).toEqual([...tensors.values()]);
    for (const [name, { dtype, shape, bytes }] of file.tensors) {
      expect({ dtype, shape, bytes }).toMatchObject({ dtype, shape, bytes: tensors.get(name).data.byteLength });
    }
    await file.close();
  }
});

test('only the header and the requested tensors of a Blob are read', async () => {
  const { blob, reads } = watchedBlob(large);
  const file = await openSafetensors(blob);
  expect(reads).toEqual([
    [0, 8],
    [8, headerEnd],
  ]);
  reads.length = 0;
  expect((await file.tensors.get('b').read()).data).toEqual(values.map((x) => -x));
  expect(Math.min(...reads.map(([begin]) => begin))).toBe(headerEnd + 1_200_000);
  expect(Math.max(...reads.map(([, end]) => end))).toBe(headerEnd + 2_400_000);
  expect(reads.reduce((sum, [begin, end]) => sum + end - begin, 0)).toBe(1_200_000);
});

test('of a URL too, if the server answers range requests', async () => {
  const server = await rangeServer(large);
  try {
    const file = await openSafetensors(server.url);
    expect(server.requests).toMatchObject([{ path: '/', range: 'bytes=0-65535' }]);
    const { data } = await file.tensors.get('b').read({ from: 1000, to: 1010 });
    expect(data).toEqual(values.subarray(1000, 1010).map((x) => -x));
    const start = headerEnd + 1_204_000;
    expect(server.requests.at(-1).range).toBe(`bytes=${start}-${start + 39}`);
    expect(server.sent).toBe(65536 + 40);
  } finally {
    await server.close();
  }
});

test('a server without ranges sends the whole file', async () => {
  const server = await listen((_, response) => response.end(large));
  try {
    const file = await openSafetensors(server.url);
    expect((await file.tensors.get('half').read({ floats: 'float32' })).data).toEqual(Float32Array.of(1, 2, 3, 4));
    expect(server.requests).toHaveLength(1);
  } finally {
    await server.close();
  }
});

test('ranges of values, as bits and as float32', async () => {
  const file = await openSafetensors(large);
  const half = file.tensors.get('half');
  const last = fromFloat32('F16', Float32Array.of(2, 3, 4));
  expect(await half.read({ from: 1 })).toEqual({ dtype: 'F16', shape: [3], data: last });
  expect(await half.read({ to: 1, floats: 'float32' })).toEqual({ dtype: 'F16', shape: [1], data: Float32Array.of(1) });
  expect(await half.read({ from: 2, to: 2 })).toEqual({ dtype: 'F16', shape: [0], data: new Uint16Array(0) });
  const whole = await file.tensors.get('a').read();
  expect(whole).toEqual({ dtype: 'F32', shape: [300, 1000], data: values });
  expect(toFloat32(whole)).toEqual(values);
});

test('ranges of values of 4 and 6 bits are whole bytes', async () => {
  const packed = await writeSafetensors({
    four: { dtype: 'F4', shape: [8], data: Uint8Array.of(1, 2, 3, 4) },
    six: { dtype: 'F6_E2M3', shape: [8], data: Uint8Array.of(1, 2, 3, 4, 5, 6) },
  });
  const { tensors } = await openSafetensors(packed);
  expect((await tensors.get('four').read({ from: 2, to: 6 })).data).toEqual(Uint8Array.of(2, 3));
  expect((await tensors.get('six').read({ from: 4 })).data).toEqual(Uint8Array.of(4, 5, 6));
  for (const [name, range] of [
    ['four', { from: 1 }],
    ['four', { to: 3 }],
    ['six', { from: 2 }],
  ]) {
    expect(await failureOf(tensors.get(name).read(range))).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
  }
});

const impossible = [{ from: -1 }, { to: 5 }, { from: 3, to: 2 }, { from: 0.5 }, { from: '1' }, { floats: 'f16' }];
test.each(impossible)('rejects %j', async (options) => {
  const { tensors } = await openSafetensors(large);
  expect(await failureOf(tensors.get('half').read(options))).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
});

test('rejects options that do not exist', async () => {
  const { tensors } = await openSafetensors(large);
  expect(await failureOf(tensors.get('half').read({ until: 1 }))).toMatchObject({ reason: 'unknown_option' });
  expect(await failureOf(openSafetensors(large, { floats: 'bits' }))).toMatchObject({ reason: 'unknown_option' });
  expect(await failureOf(readSafetensors(large, { from: 1 }))).toMatchObject({ reason: 'unknown_option' });
  expect(await failureOf(readSafetensors(large, { floats: 'f16' }))).toMatchObject({ reason: 'out_of_range' });
  expect(await failureOf(readSafetensors(large, null))).toMatchObject({ reason: 'wrong_type' });
});

test('a file that is shorter or longer than its header states is rejected before its data is read', async () => {
  for (const [bytes, reason] of [
    [large.subarray(0, -1), 'truncated'],
    [Buffer.concat([large, Buffer.of(0)]), 'trailing'],
  ]) {
    const { blob, reads } = watchedBlob(bytes);
    expect(await failureOf(openSafetensors(blob))).toMatchObject({ code: 'FORMAT', format: 'safetensors', reason });
    expect(reads).toEqual([
      [0, 8],
      [8, headerEnd],
    ]);
  }
  for (const length of [0, 7, 8, 20]) {
    const failure = await failureOf(openSafetensors(large.slice(0, length)));
    expect(failure).toMatchObject({ code: 'FORMAT', reason: 'truncated' });
  }
});

const official = JSON.parse(readFileSync(fixture('cases/expected.json'), 'utf8'));
test.each(official)('official case $file: as readSafetensors', async ({ file }) => {
  const outcomeOf = (call) =>
    call.then(
      () => 'accepted',
      ({ code, reason, offset }) => ({ code, reason, offset }),
    );
  const blob = new Blob([readFileSync(fixture(`cases/${file}`))]);
  expect(await outcomeOf(openSafetensors(blob))).toEqual(await outcomeOf(readSafetensors(blob)));
});

describe('closing', () => {
  test('ends reads, and closes the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quintet-'));
    const path = join(folder, 'large.safetensors');
    const isOpen = () => readdirSync('/proc/self/fd').some((fd) => linkOf(fd) === path);
    const linkOf = (fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return undefined;
      }
    };
    try {
      writeFileSync(path, large);
      const file = await openSafetensors(path);
      expect(isOpen()).toBe(true);
      const reading = failureOf(file.tensors.get('a').read());
      await file.close();
      await file.close();
      expect(await reading).toMatchObject({ code: 'CLOSED' });
      expect(await failureOf(file.tensors.get('a').read())).toMatchObject({ code: 'CLOSED' });
      expect(isOpen()).toBe(false);
      writeFileSync(path, large.subarray(1));
      await failureOf(openSafetensors(path));
      expect(isOpen()).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each([['dispose'], ['asyncDispose']])('by Symbol.%s', async (symbol) => {
    const file = await openSafetensors(new Blob([large]));
    await file[Symbol[symbol]]();
    expect(await failureOf(file.tensors.get('a').read())).toMatchObject({ code: 'CLOSED' });
  });
});

test('an AbortSignal ends opening and reading', async () => {
  const signal = AbortSignal.abort();
  expect(await failureOf(openSafetensors(large, { signal }))).toMatchObject({ code: 'ABORTED' });
  expect(await failureOf(readSafetensors(large, { signal }))).toMatchObject({ code: 'ABORTED' });
  const controller = new AbortController();
  const { tensors } = await openSafetensors(large, { signal: controller.signal });
  controller.abort();
  expect(await failureOf(tensors.get('a').read())).toMatchObject({ code: 'ABORTED' });
});
