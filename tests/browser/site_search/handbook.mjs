// A small site with its real index, in its own folder, and a plain server for it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { buildSite } from '../../../dist/node_site.js';

const page = (title, main, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><main>${main}</main>` +
  '<quintet-search></quintet-search></body></html>';

/** One tag in the page; `root` leads from it to the site's. */
const tag = (root) => `<script type="module" src="${root}search/quintet-search.js"></script>`;

const pages = {
  'index.html': page('Handbook', '<h1>Handbook</h1><p>All that the crew of the lighthouse needs to know.</p>', tag('')),
  'lamp/cleaning.html': page(
    'Cleaning the lamp',
    '<h1>Cleaning the lamp</h1><p>The lens is wiped every morning.</p>' +
      '<h2 id="vinegar">Vinegar</h2><p>Salt on the glass comes off with warm vinegar and a soft cloth.</p>' +
      '<h2 id="oil">Oil</h2><p>The clockwork gets three drops of oil on Sundays.</p>',
    tag('../'),
  ),
  'weather/fog.html': page(
    'Fog signals &lt;img src=x onerror="attacked = 1"&gt;',
    '<h1>Fog signals</h1><p>In fog the horn sounds twice a minute, for as long as the island is not seen.</p>',
    tag('../'),
  ),
};

/** Gives { folder, remove }: the built site. */
export async function buildHandbook() {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-handbook-'));
  for (const [path, html] of Object.entries(pages)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), html);
  }
  await buildSite({ dir: folder, cache: false, model: false });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.json': 'application/json' };

/**
 * Serves a folder below `base`, as a host of files does: no ranges, nothing but what is asked for. `isLost`: paths
 * without an answer.
 */
export async function serveFolder(folder, { base = '/', headers = {}, isLost = () => false } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (isLost(pathname)) return request.destroy();
    if (pathname !== '/favicon.ico') requests.push(pathname);
    const path = join(folder, pathname.slice(base.length).replace(/^$|\/$/, '$&index.html'));
    const isFile = pathname.startsWith(base) && statSync(path, { throwIfNoEntry: false })?.isFile();
    if (!isFile) return response.writeHead(404, headers).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', ...headers });
    response.end(readFileSync(path));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
