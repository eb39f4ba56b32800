// A server on localhost that answers as a test asks it to: like servers when something is wrong.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../../', import.meta.url));
const types = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.html': 'text/html',
};
const page = '<!doctype html><title>quintet</title>';

/** Faults of a file. Each receives the response to write, the file's bytes, its right type and its path. */
export const faults = {
  /** An error of the server's, or of a proxy's, with a page for people. */
  status: (code) => (response) => response.writeHead(code, { 'content-type': 'text/html' }).end(page),
  /** The page that servers of single-page applications send for any path. */
  page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  /** Such a page, from a server that derives the type from the path. */
  mistypedPage: (response, _, type) => response.writeHead(200, { 'content-type': type }).end(page),
  typed: (type) => (response, bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
  /** The connection ends in the middle of the body. */
  cut: (response, bytes, type) => {
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
  },
  /** Half the body comes, then nothing. */
  stall: (response, bytes, type) => {
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length >> 1));
  },
  /** The connection ends before an answer. */
  reset: (response) => response.destroy(),
  empty: (response, _, type) => response.writeHead(200, { 'content-type': type }).end(),
  /** Compressed when it was stored and once more by the server, which announces only that. */
  compressedTwice: (response, bytes, type) =>
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(gzipSync(bytes))),
  redirectLoop: (response, bytes, type, path) => response.writeHead(302, { location: path }).end(),
  /** Other bytes, as a cache holds those of an older version. */
  other: (bytes) => (response, _, type) => response.writeHead(200, { 'content-type': type }).end(bytes),
};

/**
 * Serves dist/ and the fixtures; `/page.html` is empty, `/isolated.html` may have threads, and `?policy=` is the policy
 * of either. `faults` maps paths to what happens to them, until they are taken out; `requests` are the paths asked for.
 */
export async function serveFaults() {
  const scripted = new Map();
  const requests = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    requests.push(pathname);
    const isolated = pathname === '/isolated.html';
    if (isolated || pathname === '/page.html') {
      const policy = searchParams.get('policy');
      return response
        .writeHead(200, {
          'content-type': 'text/html',
          ...(policy ? { 'content-security-policy': policy } : {}),
          ...(isolated ? isolation : {}),
        })
        .end(page);
    }
    for (const [name, value] of Object.entries(isolation)) response.setHeader(name, value);
    response.setHeader('cache-control', 'no-store');
    const file = root + pathname.slice(1);
    const fault = scripted.get(pathname);
    if (!existsSync(file) && !fault) return response.writeHead(404).end();
    const type = types[extname(file)] ?? 'application/octet-stream';
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    (fault ?? faults.typed(type))(response, bytes, type, pathname);
  });
  const listen = (port) => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address();
  // `elsewhere` is another origin than `url`, although it is the same server.
  return {
    url: `http://127.0.0.1:${port}/`,
    elsewhere: `http://localhost:${port}/`,
    faults: scripted,
    requests,
    close,
    restart: () => listen(port),
  };
}

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'cross-origin',
};
