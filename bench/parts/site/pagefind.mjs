// Pagefind, set up according to its manual and queried in Chromium through its own interface. A server counts the
// bytes: scripts and JSON with gzip, as hosts send them; what Pagefind compressed itself as it is.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launchChromium } from '../../harness/chromium.mjs';
import { queries } from './scores.mjs';
import { siteNames } from './sites.mjs';

const OPTIONS = {
  postgresql: ['--force-language', 'en', '--exclude-selectors', '.navheader, .navfooter'],
  python: ['--root-selector', 'div.body', '--exclude-selectors', '.headerlink'],
  apache: [
    '--root-selector',
    '#page-content',
    '--exclude-selectors',
    '#quickview, .top, .toplang, .bottomlang, .permalink',
  ],
};
const VISITS = 3;

export async function askPagefind(sites, indexes) {
  const result = { answers: {}, seconds: {}, first: {}, later: {} };
  // The package does not export the path of its program.
  const program = join(import.meta.dirname, '../../node_modules/pagefind/lib/runner/bin.cjs');
  for (const name of siteNames) {
    const begin = performance.now();
    const args = [
      '--site',
      join(sites, name),
      '--output-path',
      join(indexes, name),
      ...OPTIONS[name],
      '--include-characters',
      '_',
    ];
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`pagefind: ${stderr}`);
    result.seconds[name] = (performance.now() - begin) / 1000;
  }
  const server = await openServer(indexes);
  const browser = await launchChromium();
  try {
    for (const name of siteNames) Object.assign(result.answers, await askSite(name, browser, server, result));
  } finally {
    await browser.close();
    server.close();
  }
  return result;
}

async function askSite(name, browser, server, { first, later }) {
  const answers = {};
  const visits = new Map();
  [first[name], later[name]] = [[], []];
  const open = async (lang) => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(`${server.origin}/${name}/page?${lang}`);
    return page;
  };
  for (const [i, { id, query, lang }] of queries.filter(({ site }) => site === name).entries()) {
    if (!visits.has(lang)) visits.set(lang, await open(lang));
    server.bytes = 0;
    answers[id] = await ask(visits.get(lang), name, query, 10);
    if (i > 0) later[name].push(server.bytes);
    if (i % VISITS > 0) continue;
    const fresh = await open(lang);
    server.bytes = 0;
    await ask(fresh, name, query, 5);
    first[name].push(server.bytes);
    await fresh.browserContext().close();
  }
  return answers;
}

const ask = (page, name, query, count) =>
  page.evaluate(
    async (folder, text, most) => {
      const pagefind = await import(`/${folder}/pagefind/pagefind.js`);
      await pagefind.init();
      const { results } = await pagefind.search(text);
      const data = await Promise.all(results.slice(0, most).map((each) => each.data()));
      return data.map(({ url }) => url.replace(`/${folder}/`, '/'));
    },
    name,
    query,
    count,
  );

async function openServer(indexes) {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const [, name, kind, ...rest] = pathname.split('/');
    if (kind === 'page') {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><html lang="${search.slice(1)}"><title>search</title>`);
      return;
    }
    const file = join(indexes, name, ...rest.map(decodeURIComponent));
    if (kind !== 'pagefind' || !existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    const bytes = readFileSync(file);
    const isText = /\.(js|json|css)$/.test(file);
    opened.bytes += isText ? gzipSync(bytes, { level: 9 }).length : bytes.length;
    response.setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'application/octet-stream');
    response.end(bytes);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const opened = { bytes: 0, origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
  return opened;
}
