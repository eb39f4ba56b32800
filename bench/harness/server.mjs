// Serves the repository on localhost, cross-origin isolated as pages that use shared memory must be, and keeps a log
// of what was downloaded. Nothing is cached, so every page starts cold.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

import { REPOSITORY } from './paths.mjs';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

let opened;

/** The same one for all pages: { origin, downloads }. It keeps no process from ending. */
export const openServer = () => (opened ??= startServer());

async function startServer() {
  const downloads = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const file = normalize(join(REPOSITORY, decodeURIComponent(pathname)));
    const size = file.startsWith(REPOSITORY + sep) ? await fileSize(file) : undefined;
    if (size === undefined) return void response.writeHead(404).end();
    downloads.push(file);
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': size,
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return { origin: `http://127.0.0.1:${server.address().port}`, downloads };
}

async function fileSize(file) {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}
