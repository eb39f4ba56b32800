// Every kind of ModelSource gives the same model; anything else is one clear error.
import { createReadStream, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { Embedder, ImageClassifier, inspect } from 'quintet';
import { base, baseRows, bytesOf, expectRows, pathOf, texts } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { streamOf } from '../helpers/streams.mjs';

const file = bytesOf(base);

async function expectModel(source, options) {
  const embedder = await Embedder.load(source, options);
  try {
    expectRows(await embedder.embed(texts.slice(0, 3)), baseRows.slice(0, 3));
  } finally {
    embedder.close();
  }
}

async function* chunksOf(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('kinds of sources', () => {
  const kinds = {
    path: () => pathOf(base),
    'relative path': () => pathOf(base).replace(`${process.cwd()}/`, ''),
    'file: URL as a string': () => pathToFileURL(pathOf(base)).href,
    'file: URL': () => pathToFileURL(pathOf(base)),
    'data: URL': () => `data:application/octet-stream;base64,${Buffer.from(file).toString('base64')}`,
    Uint8Array: () => file.slice(),
    Buffer: () => Buffer.from(file),
    'a part of a larger array': () => Uint8Array.from([1, 2, 3, ...file, 4]).subarray(3, 3 + file.length),
    ArrayBuffer: () => file.slice().buffer,
    Blob: () => new Blob([file]),
    File: () => new File([file], 'model.weights'),
    'Blob of a file': () => openAsBlob(pathOf(base)),
    Response: () => new Response(file),
    ReadableStream: () => streamOf(file, 5000),
    'async generator': () => chunksOf(file, 5000),
    'Node stream': () => createReadStream(pathOf(base)),
    'stream with empty chunks': () =>
      new ReadableStream({
        start(controller) {
          const empty = new Uint8Array(0);
          for (const chunk of [empty, file.slice(0, 9), empty.slice(), file.slice(9)]) controller.enqueue(chunk);
          controller.close();
        },
      }),
  };

  test.each(Object.keys(kinds))('%s', async (kind) => {
    await expectModel(await kinds[kind]());
  });

  test.each(Object.keys(kinds))('%s into a worker', async (kind) => {
    await expectModel(await kinds[kind](), { worker: true });
  });

  test.each([1, 7, 63, 64, 65, 4096, 1 << 20])('chunks of %d bytes', async (size) => {
    await expectModel(chunksOf(file, size));
  });

  test('bytes stay as they are', async () => {
    const bytes = file.slice();
    for (const worker of [false, true]) {
      await expectModel(bytes, { worker });
      await expectModel(bytes.buffer, { worker });
    }
    expect(bytes.buffer.byteLength).toBe(file.length);
    expect(Buffer.compare(bytes, file)).toBe(0);
  });
});

describe('over HTTP', () => {
  let server;
  const answers = {
    '/plain': (response) => response.writeHead(200, { 'content-length': file.length }).end(file),
    '/chunked': (response) => response.writeHead(200).end(file),
    '/encoded': (response) => {
      const encoded = brotliCompressSync(file);
      response.writeHead(200, { 'content-encoding': 'br', 'content-length': encoded.length }).end(encoded);
    },
    '/missing': (response) => response.writeHead(404).end('no'),
    '/page': (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>hello'),
    '/untyped-page': (response) => response.writeHead(200).end('\n<!DOCTYPE html><title>app</title>'),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 5000));
      setImmediate(() => response.destroy());
    },
    '/ranges': (response, range) => {
      const [from, to] =
        /bytes=(\d+)-(\d+)/
          .exec(range ?? '')
          ?.slice(1)
          .map(Number) ?? [];
      if (from === undefined) return response.writeHead(200).end(file);
      const part = file.subarray(from, to + 1);
      response.writeHead(206, { 'content-range': `bytes ${from}-${from + part.length - 1}/${file.length}` }).end(part);
    },
  };
  beforeAll(async () => {
    server = await listen((request, response) => answers[request.url](response, request.headers.range));
  });
  afterAll(() => server.close());
  const at = (path) => server.url + path;

  test.each(['plain', 'chunked', 'encoded'])('%s', async (path) => {
    await expectModel(at(path));
    await expectModel(new URL(at(path)), { worker: true });
    await expectModel(new Request(at(path)));
    await expectModel(await fetch(at(path)), { worker: true });
  });

  test('the total is known only without compression', async () => {
    const totals = new Map();
    for (const path of ['plain', 'chunked', 'encoded']) {
      const onProgress = ({ stage, total }) => stage === 'download' && totals.set(path, total);
      (await Embedder.load(at(path), { onProgress })).close();
    }
    expect([...totals]).toEqual([
      ['plain', file.length],
      ['chunked', undefined],
      ['encoded', undefined],
    ]);
  });

  test.each([
    ['missing', 'http_status', /404/],
    ['page', 'html_instead_of_model', /web page/],
    ['untyped-page', 'html_instead_of_model', /web page/],
    ['cut', 'read_failed', /cannot read the source/],
  ])('%s', async (path, reason, message) => {
    for (const worker of [false, true]) {
      const error = await failureOf(() => Embedder.load(at(path), { worker }));
      expect(error).toMatchObject({ code: 'IO', reason });
      expect(error.message).toMatch(message);
    }
  });

  test('no server', async () => {
    const { url, close } = await listen(() => {});
    await close();
    const error = await failureOf(() => Embedder.load(url));
    expect(error).toMatchObject({ code: 'IO', reason: 'network' });
    expect(error.cause).toMatchObject({ message: 'fetch failed' });
  });

  test('inspection reads parts if the server supports ranges', async () => {
    server.requests.length = 0;
    const info = await inspect(at('ranges'));
    expect(info).toEqual(await inspect(file));
    expect(server.requests.every(({ range }) => range)).toBe(true);
    expect(await inspect(at('plain'))).toEqual(info);
    expect((await failureOf(() => inspect(at('missing')))).reason).toBe('http_status');
  });
});

describe('files that are not models', () => {
  let folder;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'quintet-'))));
  afterAll(() => rmSync(folder, { recursive: true }));
  const consumed = async () => {
    const response = new Response(file);
    await response.arrayBuffer();
    return response;
  };
  const strings = () => new Blob([file]).stream().pipeThrough(new TextDecoderStream('latin1'));
  const locked = () => {
    const stream = streamOf(file, 100);
    stream.getReader();
    return stream;
  };

  test.each([
    ['an empty string', () => '', 'INPUT', 'wrong_type'],
    ['nothing', () => undefined, 'INPUT', 'wrong_type'],
    ['null', () => null, 'INPUT', 'wrong_type'],
    ['a number', () => 7, 'INPUT', 'wrong_type'],
    ['a folder without files', () => ({}), 'INPUT', 'missing'],
    ['floats', () => new Float32Array(8), 'INPUT', 'wrong_type'],
    ['a URL that is none', () => 'http://', 'INPUT', 'wrong_type'],
    ['a missing file', () => join(folder, 'none.weights'), 'IO', 'not_found'],
    ['an empty folder', () => folder, 'INPUT', 'missing'],
    ['a body that was read', consumed, 'INPUT', 'used'],
    ['a locked stream', locked, 'INPUT', 'used'],
    ['a failed response', () => new Response('no', { status: 500 }), 'IO', 'http_status'],
    ['a stream of strings', strings, 'INPUT', 'wrong_type'],
    ['no bytes', () => new Uint8Array(0), 'FORMAT', 'bad_magic'],
  ])('%s', async (_, make, code, reason) => {
    for (const worker of [false, true]) {
      expect(await failureOf(async () => Embedder.load(await make(), { worker }))).toMatchObject({ code, reason });
    }
  });

  test('missing files of a folder are named', async () => {
    const { message } = await failureOf(() => Embedder.load(folder));
    expect(message).toBe(`${folder} is not a model: it needs config.json and *.safetensors, or a GGUF model`);
    expect((await failureOf(() => ImageClassifier.load(folder))).message).toBe(
      `${folder} is not an image network: it needs *.safetensors`,
    );
  });

  test('a source that fails gives its own error as the cause', async () => {
    const cause = new Error('the tape is torn');
    async function* failing() {
      yield file.subarray(0, 500);
      throw cause;
    }
    for (const worker of [false, true]) {
      const error = await failureOf(() => Embedder.load(failing(), { worker }));
      expect(error).toMatchObject({ code: 'IO', reason: 'read_failed', cause });
    }
  });
});

describe('sources are released', () => {
  const broken = file.slice();
  broken.fill(0, 0, 4);

  test('a stream is cancelled when the file is rejected', async () => {
    for (const worker of [false, true]) {
      const watch = {};
      await failureOf(() => Embedder.load(streamOf(broken, 1000, watch), { worker }));
      expect(watch.cancelled).toBe(true);
    }
  });

  test('an iterator is returned when the file is rejected', async () => {
    for (const worker of [false, true]) {
      let returned = false;
      const source = (async function* () {
        try {
          yield* chunksOf(broken, 1000);
        } finally {
          returned = true;
        }
      })();
      await failureOf(() => Embedder.load(source, { worker }));
      expect(returned).toBe(true);
    }
  });
});
