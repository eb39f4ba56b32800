// Whether a page stays free while its models work elsewhere.
import { runOn } from './browsers.mjs';

/** The longest task in each of three rounds of the work, and in one that is long on purpose; runs on the page. */
async function longestTasks(begin) {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
  const longestOf = async (job) => {
    await pause();
    tasks.length = 0;
    await job();
    await pause();
    return Math.max(0, ...tasks.map(({ duration }) => duration));
  };
  const { work, close } = await begin();
  observer.observe({ entryTypes: ['longtask'] });
  const longest = [await longestOf(work), await longestOf(work), await longestOf(work)];
  const watched = await longestOf(async () => {
    await pause();
    for (const begin = performance.now(); performance.now() - begin < 80; );
    await pause();
  });
  close();
  return { longest, watched };
}

/**
 * In Chromium, which tells of long tasks. `begin` runs on the page with the package's exports and `argument`, and gives
 * { work(), close() }. A busy machine can hold up any task, so that the page must be free in one of three rounds; a page
 * that waits for its model is never so.
 */
export async function expectFreePage(page, begin, argument) {
  const job = `(quintet, argument) => (${longestTasks})(() => (${begin})(quintet, argument))`;
  const { longest, watched } = await runOn(page, job, argument);
  expect(watched).toBeGreaterThan(50);
  expect(Math.min(...longest)).toBeLessThanOrEqual(50);
}
