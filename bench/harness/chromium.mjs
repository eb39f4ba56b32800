// Pages of Chromium, each in a browser of its own.
import puppeteer from 'puppeteer-core';

import { urlPath } from './paths.mjs';
import { openServer } from './server.mjs';

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

/** A stage in a browser of its own; `module` has the contestants. `downloads`: the files that the page fetched since. */
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

// Of all threads of the page's process, its workers among them. Chromium counts in steps of 10 ms.
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
