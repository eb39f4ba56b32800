import puppeteer from 'puppeteer-core';

import { site } from '../../web/building/paths.mjs';
import { siteServer } from '../../web/serving/server.mjs';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const QUESTION = 'how wild wolves turned into pets';

/** A visitor: Chromium with nothing in its stores, before a server of the site that counts what it sends. */
export async function openVisitor() {
  const server = siteServer(site);
  const transfers = [];
  server.on('request', (request, response) => {
    const before = request.socket.bytesWritten;
    response.on('finish', () => transfers.push({ path: request.url, bytes: request.socket.bytesWritten - before }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await puppeteer.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const page = await browser.newPage();
  const address = `http://localhost:${server.address().port}/search.html?q=${encodeURIComponent(QUESTION)}`;
  return {
    page,
    transfers,
    /** Milliseconds from the beginning of the navigation to the first result. */
    async visit() {
      await page.goto(address);
      const mark = await page.waitForFunction(() => performance.getEntriesByName('first-result')[0]?.startTime);
      return mark.jsonValue();
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
