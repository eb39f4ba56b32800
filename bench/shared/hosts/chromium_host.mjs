import puppeteer from 'puppeteer-core';

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

/** A fresh Chromium with an open benchmark page, `path` of the repository. */
export async function openPage(server, path) {
  const browser = await launch();
  const page = await browser.newPage();
  const failures = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  await page.goto(`${server.origin}/${path}`);
  await page.waitForFunction('globalThis.callStage', { timeout: TIMEOUT }).catch((error) => {
    throw new Error(failures.join('\n') || error.message);
  });
  return { browser, page, close: () => browser.close() };
}

/** A stage in a Chromium of its own. */
export async function openInChromium(server, path) {
  const { browser, page, close } = await openPage(server, path);
  const call = (method, ...args) =>
    page.evaluate((name, values) => globalThis.callStage(name, ...values), method, args);
  const session = await browser.target().createCDPSession();
  return { call, cpuMilliseconds: () => rendererCpuMilliseconds(session), close };
}

// Of all threads of the page's process, its workers among them. Chromium counts in steps of 10 ms.
async function rendererCpuMilliseconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer');
  return 1000 * renderers.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

export async function chromiumVersion() {
  const browser = await launch();
  try {
    return await browser.version();
  } finally {
    await browser.close();
  }
}

function launch() {
  return puppeteer.launch({
    executablePath: EXECUTABLE,
    headless: true,
    args: ARGUMENTS,
    protocolTimeout: TIMEOUT,
  });
}
