// Whether a page stays free while its models work elsewhere.
import { runOn } from './browsers.mjs';
import { tasksDuring } from './page_tasks.mjs';

const spin = () => {
  let sum = 0;
  for (let i = 0; i < 3e8; ++i) sum += i;
  return sum;
};

/**
 * In Chromium, which reports tasks. `begin` runs on the page with the package's exports and `argument`, and gives {
 * work(), close() }.
 */
export async function expectFreePage(page, begin, argument) {
  await runOn(
    page,
    `async (quintet, argument) => void (globalThis.job = await (${begin})(quintet, argument))`,
    argument,
  );
  const tasks = await tasksDuring(page, async () => {
    await page.evaluate(async () => void (await globalThis.job.work()));
    await page.evaluate(spin);
  });
  await page.evaluate(() => globalThis.job.close());
  // One task blocks the page, and is seen: the one that was meant to.
  expect(tasks.filter((milliseconds) => milliseconds > 50)).toHaveLength(1);
}
