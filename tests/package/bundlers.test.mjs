// The installed packages on a page in Chromium and Firefox, made by every bundler and by none: under a strict policy,
// with threads where pages are isolated, and nothing downloaded but what is used.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, firefox } from '../browser/pages.mjs';
import { expectRight, texts } from './golden.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { buildSites, sites, tools, vite } from './sites.mjs';
import { urlOf } from './started_server.mjs';
import { serve } from './static_server.mjs';

const requests = { embed: { job: 'embed', texts }, generate: { job: 'generate' }, classify: { job: 'classify' } };

let project;
let folders;
beforeAll(async () => {
  project = installInEmptyProject({ tools });
  folders = await buildSites(project.folder);
});
afterAll(() => project?.remove());

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** Names of the packages' binaries by their content: bundlers rename them. */
const binaries = new Map();
for (const folder of ['dist', 'models']) {
  for (const name of readdirSync(root + folder)) {
    if (/\.(wasm|weights|amb|safetensors)$/.test(name))
      binaries.set(hashOf(readFileSync(`${root}${folder}/${name}`)), name);
  }
}
/** A class of each engine's module, which its JavaScript names. */
const engines = ['EmbedderLoader', 'GeneratorLoader', 'ClassifierLoader', 'Converter'];

/** The downloads: binaries by their own names, and the engines whose JavaScript was loaded. */
function downloaded(folder, paths) {
  const found = { binaries: [], engines: new Set() };
  for (const path of paths) {
    if (path === '/favicon.ico' || path.endsWith('.html') || path.endsWith('.png')) continue;
    const bytes = readFileSync(join(folder, path));
    const binary = binaries.get(hashOf(bytes));
    if (binary) found.binaries.push(binary);
    else
      for (const name of engines) if (new RegExp(`["'\`]${name}["'\`]`).test(bytes.toString())) found.engines.add(name);
  }
  return { binaries: found.binaries.sort(), engines: [...found.engines].sort() };
}

describe.each([chromium, firefox])('%s', (name, launchBrowser) => {
  let browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Opens a page, does `use` with it, and returns what went wrong on it. */
  async function onPage(url, use) {
    const page = await browser.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
        problems.push(`${request.url()} asked for`);
    });
    try {
      await page.goto(`${url}index.html`);
      await page.waitForFunction(() => 'answer' in globalThis);
      await use((request) => page.evaluate((request) => globalThis.answer(request), request));
      expect(problems).toEqual([]);
    } finally {
      await page.close();
    }
  }

  async function onSite(site, options, use) {
    const server = await serve(folders[site], options);
    try {
      await onPage(server.url, (ask) => use(ask, () => downloaded(folders[site], server.requests.splice(0))));
      expect(server.violations).toEqual([]);
    } finally {
      await server.close();
    }
  }

  // Downloads depend on the bundlers; how workers start, which the next tests show, also on the browser.
  const sitesToFollow = name === 'Chromium' ? sites : ['no bundler'];
  test.each(sitesToFollow)('%s: everything works, and only what is used is downloaded', async (site) => {
    await onSite(site, {}, async (ask, downloads) => {
      expect(downloads()).toEqual({ binaries: [], engines: [] });

      const embedded = await ask(requests.embed);
      expectRight.embed(embedded);
      expect(embedded.runtime).toMatchObject({ worker: true, threads: 1 });
      expect(downloads()).toEqual({
        binaries: ['embedder-int8.weights', 'quintet-embedder-relaxed.wasm'],
        engines: ['EmbedderLoader'],
      });

      expectRight.generate(await ask(requests.generate));
      expect(downloads()).toEqual({
        binaries: ['quintet-generator-relaxed.wasm', 'stories260k.amb'],
        engines: ['GeneratorLoader'],
      });

      expectRight.classify(await ask(requests.classify));
      expect(downloads()).toEqual({
        binaries: ['mobilenet_v2_imagenet.safetensors', 'quintet-classifier-relaxed.wasm'],
        engines: ['ClassifierLoader'],
      });

      expectRight.convert(await ask({ job: 'convert' }));
      expect(downloads()).toEqual({
        binaries: ['embedder-int8.weights', 'quintet-files.wasm'],
        engines: ['Converter'],
      });
    });
  });

  test.each(sites)('%s: two threads on an isolated page', async (site) => {
    await onSite(site, { isolated: true }, async (ask, downloads) => {
      for (const [job, request] of Object.entries(requests)) {
        const answer = await ask({ ...request, threads: 2 });
        expectRight[job](answer);
        expect(answer.runtime).toMatchObject({ worker: true, threads: 2, fallbacks: [] });
      }
      expect(downloads().binaries.filter((name) => name.endsWith('.wasm'))).toEqual([
        'quintet-classifier-relaxed.wasm',
        'quintet-embedder-relaxed.wasm',
        'quintet-generator-relaxed.wasm',
      ]);
    });
  });

  test("Vite's development server, with the headers of the guide", async () => {
    const server = spawn(process.execPath, [vite, '--host', '127.0.0.1', '--port', '0'], { cwd: project.folder });
    try {
      await onPage(await urlOf(server), async (ask) => {
        for (const [job, request] of Object.entries(requests)) {
          const answer = await ask({ ...request, threads: 2 });
          expectRight[job](answer);
          expect(answer.runtime.threads).toBe(2);
        }
      });
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});
