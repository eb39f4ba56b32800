// A folder on localhost, under a policy that allows a page no more than the package needs.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
};
const policyOf = (body, hosts) =>
  [
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${importMaps(body)}; worker-src 'self'`,
    `connect-src ${["'self'", ...hosts].join(' ')}`,
    "img-src 'self'; report-uri /violations",
  ].join('; ');

/** Import maps can only stand in the page itself: a policy names them by their hash. */
const importMaps = (body) =>
  [...String(body).matchAll(/<script type="importmap">([^]*?)<\/script>/g)]
    .map(([, map]) => `'sha256-${createHash('sha256').update(map).digest('base64')}'`)
    .join(' ');

const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/**
 * Serves a folder: { url, requests, violations, close }. With `isolated` pages may share memory between threads.
 * Browsers report violations of the policy, in pages and in workers, to `violations`. Pages may connect to `hosts`,
 * too.
 */
export async function serve(folder, { isolated = false, hosts = [] } = {}) {
  const requests = [];
  const violations = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    if (path === '/violations') {
      violations.push(await text(request));
      return response.writeHead(204).end();
    }
    requests.push(path);
    try {
      const body = await readFile(join(folder, normalize(path)));
      response.writeHead(200, {
        'content-type': types[extname(path)] ?? 'application/octet-stream',
        'content-security-policy': policyOf(extname(path) === '.html' ? body : '', hosts),
        ...(isolated ? isolation : {}),
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    violations,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
