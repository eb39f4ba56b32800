import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openVisitor } from '../search_page.mjs';

/** Indexes a file while somebody types: seconds that it took, and the page's tasks of more than 50 ms, as the browser counts them. */
export async function measureIndexing(passages) {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-bench-'));
  const file = join(folder, 'passages.jsonl');
  const text = (i) => `Passage ${i} of the benchmark tells of a small town by the sea, of its harbour and of the people who live there.`;
  writeFileSync(file, Array.from({ length: passages }, (_, i) => JSON.stringify(text(i))).join('\n'));
  const visitor = await openVisitor();
  try {
    await visitor.visit();
    return await indexWhileTyping(visitor.page, file, passages);
  } finally {
    await visitor.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexWhileTyping(page, file, passages) {
  await page.evaluate(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  const begin = performance.now();
  await (await page.$('#files')).uploadFile(file);
  const done = page.waitForFunction(() => /passages indexed/.test(document.querySelector('#said').textContent), { timeout: 0 });
  await page.focus('#query');
  await page.keyboard.type(', and people who live by the harbour', { delay: 50 });
  await done;
  const seconds = (performance.now() - begin) / 1000;
  return { passages, seconds, longTasks: await page.evaluate(() => globalThis.longTasks) };
}
