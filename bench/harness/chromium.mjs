// Pages of Chromium, each in its own browser, and the server from which they load the repository.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import puppeteer from 'puppeteer-core';

import { REPOSITORY, urlPath } from './paths.mjs';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  // A page that waits for its turn must not be slowed down when its turn comes.
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
];
const TIMEOUT = 300_000;

export const launchChromium = () =>
  puppeteer.launch({ executablePath: EXECUTABLE, headless: true, args: ARGUMENTS, protocolTimeout: TIMEOUT });

/** A stage in its own browser; `module` has the contestants. `downloads`: the files that the page fetched since. */
export async function openInChromium(module) {
  const server = await openServer();
  const browser = await launchChromium();
  const page = await browser.newPage();
  const failures = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(`${server.origin}/bench/harness/page.html?${urlPath(module)}`);
  await page.waitForFunction('globalThis.callStage', { timeout: TIMEOUT }).catch((error) => {
    throw new Error(failures.join('\n') || error.message);
  });
  const session = await browser.target().createCDPSession();
  server.downloads.length = 0;
  return {
    call: (method, ...args) => page.evaluate((name, values) => globalThis.callStage(name, values), method, args),
    cpuMilliseconds: () => rendererCpuMilliseconds(session),
    downloads: () => [...server.downloads],
    close: () => browser.close(),
  };
}

// The processor time of all threads of the page's process, workers included. Chromium counts in steps of 10 ms.
async function rendererCpuMilliseconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return 1000 * renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

export async function chromiumVersion() {
  const browser = await launchChromium();
  try {
    return await browser.version();
  } finally {
    await browser.close();
  }
}

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

let opened;

/**
 * The server of all pages: { origin, downloads }, the latter a log. Pages are cross-origin isolated, as those that use
 * shared memory must be; nothing is cached, so every page starts cold. It keeps no process from ending.
 */
const openServer = () => (opened ??= startServer());

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
