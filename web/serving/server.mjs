// A static server for the built site, with the headers that threads need, precompressed files, ranges and ETags.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { contentTypes } from './content_types.mjs';
import { rangeOf } from './range.mjs';

// For pages and workers. https: for models that a visitor names.
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' blob: data: https:";

const headers = {
  // Only cross-origin isolated pages have shared memory, which threads need.
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Browsers read these only where they open a page. */
const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy':
    `${policy}; img-src 'self' blob: data:; media-src 'self' blob:; ` +
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

/** Serves the files of a folder. */
export function siteServer(folder) {
  return createServer((request, response) => {
    respond(folder, request, response).catch((error) => {
      console.error(`web: ${request.url}: ${error.message}`);
      response.headersSent ? response.destroy() : refuse(response, 500, 'The server failed.');
    });
  });
}

async function respond(folder, request, response) {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return refuse(response, 405, 'Only GET and HEAD are allowed.');
  }
  const path = pathOf(request);
  const file = path && (await choose(join(folder, path), request));
  if (!file) return refuse(response, 404, 'There is no such page.');

  if (extname(path) === '.html')
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  response.setHeader('content-type', contentTypes[extname(path)] ?? 'application/octet-stream');
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('etag', file.etag);
  // Names of built files contain a digest of their content. All other files may change at any time.
  const immutable = path.startsWith('/assets/');
  response.setHeader('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (file.encoding) response.setHeader('content-encoding', file.encoding);
  else response.setHeader('accept-ranges', 'bytes');
  if (matches(request.headers['if-none-match'], file.etag)) return response.writeHead(304).end();
  send(file, request, response);
}

function send({ path, size, encoding, etag }, request, response) {
  const condition = request.headers['if-range'];
  const asked = encoding || (condition !== undefined && condition !== etag) ? undefined : request.headers.range;
  const range = rangeOf(asked, size);
  if (range === 'unsatisfiable') return response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.setHeader('content-length', end - start + 1);
  if (range) response.setHeader('content-range', `bytes ${start}-${end}/${size}`);
  response.writeHead(range ? 206 : 200);
  if (request.method === 'HEAD' || size === 0) return response.end();
  // A visitor who leaves early is not an error.
  pipeline(createReadStream(path, { start, end }), response, () => {});
}

/** The path of a file in the folder, or undefined if it could be outside. */
function pathOf({ url }) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.split(/[/\\]/).includes('..')) return undefined;
  return path.endsWith('/') ? `${path}index.html` : path;
}

/** The file, or its compressed form if the browser accepts that and requests the whole file. */
async function choose(path, { headers: { 'accept-encoding': accepted = '', range } }) {
  const encodings =
    range === undefined
      ? [
          ['br', '.br'],
          ['gzip', '.gz'],
        ]
      : [];
  for (const [encoding, suffix] of encodings) {
    if (!new RegExp(`\\b${encoding}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(accepted)) continue;
    const found = await describe(path + suffix, encoding);
    if (found) return found;
  }
  return describe(path);
}

async function describe(path, encoding) {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const etag = `"${found.size.toString(36)}-${Math.round(found.mtimeMs).toString(36)}${encoding ? `-${encoding}` : ''}"`;
  return { path, size: found.size, encoding, etag };
}

const matches = (condition, etag) =>
  condition?.split(/\s*,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);

function refuse(response, status, sentence) {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${sentence}\n`);
}
