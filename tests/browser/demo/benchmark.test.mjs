// The benchmark of the demo site, as visitors use it.
import { launch, launchFirefox } from '../browsers.mjs';
import { openWatchedPage } from '../origins.mjs';
import { testOnceIn } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward } from './forwarding.mjs';
import { visitor } from './visitor.mjs';

/** A result as a link has it, with a part that is changed. */
function encoded(changed) {
  const agreement = { agrees: true, words: 'alike' };
  const results = [{ what: 'tokens', threads: 1, agreement, times: { quintet: 1, 'onnxruntime-web': 2 }, ...changed }];
  return btoa(JSON.stringify({ date: '2026-01-01', browser: 'a browser', processors: 1, results }));
}

let site;
beforeAll(async () => {
  site = await serveDemoSite();
});
afterAll(() => site?.close());

describe.each([
  ['Chromium', () => launch()],
  ['Firefox', () => launchFirefox()],
])('%s', (name, launchBrowser) => {
  let browser;
  let page;
  let origin;
  let closeHome;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    ({ page, closeHome } = await openWatchedPage(browser));
  });
  afterEach(async () => {
    await closeHome(origin?.url ?? site.url);
    await origin?.close();
    origin = undefined;
  });

  const open = (path) => page.goto((origin?.url ?? site.url) + path);
  const textOf = (selector) => page.$eval(selector, (element) => element.textContent);
  const click = (selector) => page.$eval(selector, (element) => element.click());
  /** Once this control may be used. */
  const ready = (selector) => page.waitForSelector(`${selector}:not([disabled])`);
  const { controlNames, until } = visitor(() => page);

  test('the benchmark shows both libraries, whose results agree', async () => {
    // Both libraries run in workers. Firefox under WebDriver may hang when these start workers of their own, for
    // threads (npm/src/worker/loading.ts), so it gets a page without shared memory.
    if (name === 'Firefox') {
      origin = await forward(site.url, { without: ['cross-origin-opener-policy', 'cross-origin-embedder-policy'] });
    }
    await open('benchmark.html');
    expect(await controlNames()).not.toContain('');
    await page.select('#effort', 'short');
    await ready('#start');
    await click('#start');
    await page.waitForFunction(() => [...document.querySelectorAll('#done, #problem')].some((it) => it.textContent));
    expect(await textOf('#problem')).toBe('');
    expect(await textOf('#done')).toBe('Done.');

    const rows = await page.$$eval('#rows tr', (found) =>
      found.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    const timed = rows.filter(([what]) => !what.startsWith('Download'));
    expect(timed.length).toBeGreaterThanOrEqual(4);
    for (const [, ours, theirs, ratio, answers, runs] of timed) {
      expect([ours, theirs]).toEqual([expect.stringMatching(/\d m?s$/), expect.stringMatching(/\d m?s$/)]);
      expect(ratio).toMatch(/^[\d.]+ x$/);
      expect(answers).not.toContain('differ');
      expect(runs).toMatch(/^[\d,]+ and [\d,]+$/);
    }
    const bars = await page.$$eval('#chart rect', (found) =>
      found.map((bar) => [bar.getAttribute('class'), bar.getBoundingClientRect().width]),
    );
    expect(bars.length).toBe(2 * timed.length + 2);
    expect(new Set(bars.map(([library]) => library))).toEqual(new Set(['quintet', 'onnxruntime-web']));
    for (const [, width] of bars) expect(width).toBeGreaterThan(1);

    // The address carries the result: whoever opens it sees the same figures.
    const link = await page.evaluate(() => location.href);
    const figures = () => page.$$eval('#rows td', (cells) => cells.map((cell) => cell.textContent));
    const before = await figures();
    await page.goto('about:blank');
    await page.goto(link);
    await until('#whose', /From a link, measured on \d{4}-\d\d-\d\d: .*thread/);
    expect(await figures()).toEqual(before);
  });

  testOnceIn(name).each([
    ['nothing that is encoded', '!!'],
    ['no JSON', btoa('{')],
    ['another shape', btoa('{"date":1}')],
    ['a job that is unknown', encoded({ what: 'constructor' })],
    ['times that are no numbers', encoded({ times: { quintet: '<b>', 'onnxruntime-web': 1 } })],
  ])('a link with %s is rejected with a message', async (_, text) => {
    await open(`benchmark.html#result=${text}`);
    await until('#done', /The result in this link cannot be read/);
    expect(await page.$eval('#results', ({ hidden }) => hidden)).toBe(true);
  });
});
