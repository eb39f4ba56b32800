// The search page of the demo site in Chromium: the time from the address to the first result, the size of the
// download, and the load on the page's thread.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSite } from '../../web/building/build_site.mjs';
import { site } from '../../web/building/paths.mjs';
import { siteServer } from '../../web/serving/server.mjs';
import { launchChromium } from '../harness/chromium.mjs';
import { atMost, figure, KILOBYTE } from '../harness/lines.mjs';
import { summary } from '../harness/statistics.mjs';

export const chromium = true;
export const paces = { full: { visits: 9, passages: 3000 }, quick: { visits: 3, passages: 500 } };

const TARGETS = {
  coldMilliseconds: atMost(3000),
  warmMilliseconds: atMost(1000),
  pageKilobytes: atMost(300),
  longTasks: atMost(0),
};
const QUESTION = 'why is venus so hot';

export async function measure({ pace }) {
  await buildSite();
  console.error('visits');
  const visits = await measureVisits(pace.visits);
  console.error('indexing');
  return { visits, indexing: await measureIndexing(pace.passages) };
}

/** First visits, each with its own browser, and a second one with each; what the first downloaded. */
async function measureVisits(count) {
  const cold = [];
  const warm = [];
  let bytes;
  for (let i = 0; i < count; ++i) {
    await withVisitor(async ({ page, visit, transfers }) => {
      cold.push(await visit());
      bytes = bytesByKind(transfers);
      await page.waitForFunction(() => /Works offline/.test(document.querySelector('#offline').textContent));
      warm.push(await visit());
    });
  }
  return { cold: summary(cold), warm: summary(warm), bytes };
}

function bytesByKind(transfers) {
  const kinds = { model: /\.weights$/, corpus: /\.index$/, page: /./ };
  const bytes = { model: 0, corpus: 0, page: 0 };
  for (const transfer of transfers) {
    const kind = Object.keys(kinds).find((name) => kinds[name].test(transfer.path));
    bytes[kind] += transfer.bytes;
  }
  return bytes;
}

/**
 * A file is indexed while somebody types: seconds that it took, and tasks of more than 50 ms, as the browser counts
 * them.
 */
async function measureIndexing(passages) {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-bench-'));
  const file = join(folder, 'passages.jsonl');
  const text = (i) =>
    `Passage ${i} of the benchmark tells of a small town by the sea, of its harbour and of the people who live there.`;
  writeFileSync(file, Array.from({ length: passages }, (_, i) => JSON.stringify(text(i))).join('\n'));
  try {
    return await withVisitor(async ({ page, visit }) => {
      await visit();
      return { passages, ...(await indexWhileTyping(page, file)) };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexWhileTyping(page, file) {
  await page.evaluate(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) =>
      globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    });
  });
  const begin = performance.now();
  await (await page.$('#files')).uploadFile(file);
  const done = page.waitForFunction(() => /passages indexed/.test(document.querySelector('#said').textContent), {
    timeout: 0,
  });
  await page.focus('#query');
  await page.keyboard.type(', and people who live by the harbour', { delay: 50 });
  await done;
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, longTasks: await page.evaluate(() => globalThis.longTasks) };
}

/** Chromium with nothing in its stores, before a server of the site that counts what it sends. */
async function withVisitor(use) {
  const server = siteServer(site);
  const transfers = [];
  server.on('request', (request, response) => {
    const before = request.socket.bytesWritten;
    response.on('finish', () => transfers.push({ path: request.url, bytes: request.socket.bytesWritten - before }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const address = `http://localhost:${server.address().port}/search.html?q=${encodeURIComponent(QUESTION)}`;
    /** Milliseconds from the beginning of the navigation to the first result. */
    const visit = async () => {
      await page.goto(address);
      const mark = await page.waitForFunction(() => performance.getEntriesByName('first-result')[0]?.startTime);
      return mark.jsonValue();
    };
    return await use({ page, visit, transfers });
  } finally {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

export function sections({ visits: { cold, warm, bytes }, indexing: { passages, seconds, longTasks } }) {
  const times = ({ best, median }) => `${best.toFixed(0)} / ${median.toFixed(0)}`;
  const kilobytes = (what, value, target) => figure(what, value / KILOBYTE, target, (value / KILOBYTE).toFixed(0));
  const tasks = `${longTasks.length} (${Math.max(0, ...longTasks).toFixed(0)})`;
  return [
    {
      title: 'Chromium: the search page',
      lines: [
        figure('first result, first visit, ms, best / median', cold.median, TARGETS.coldMilliseconds, times(cold)),
        figure('first result, second visit, ms, best / median', warm.median, TARGETS.warmMilliseconds, times(warm)),
        kilobytes('page until then, kB transferred', bytes.page, TARGETS.pageKilobytes),
        kilobytes('passages with their vectors, kB transferred', bytes.corpus),
        kilobytes('model, kB transferred', bytes.model),
        figure(`${passages} passages indexed, a second`, passages / seconds),
        figure('tasks of more than 50 ms meanwhile (the longest, ms)', longTasks.length, TARGETS.longTasks, tasks),
      ],
    },
  ];
}
