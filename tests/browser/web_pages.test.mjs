// The story writer and the benchmark of the demo site, as visitors use them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, launchFirefox } from './browsers.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward } from './forwarding.mjs';
import { openWatchedPage } from './origins.mjs';
import { visitor } from './visitor.mjs';

const fixture = (path) => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
// Written by llama2.c's own program.
const known = readFileSync(fixture('storyteller/expected_greedy_200.txt'), 'utf8');
const begin = 'Once upon a time, there was a little girl named Lily.';

let site;
let downloads;
beforeAll(async () => {
  site = await serveDemoSite();
  downloads = mkdtempSync(join(tmpdir(), 'quintet-downloads-'));
});
afterAll(async () => {
  await site?.close();
  rmSync(downloads, { recursive: true, force: true });
});

const savesTo = (folder) => ({ 'browser.download.folderList': 2, 'browser.download.dir': folder });

describe.each([
  ['Chromium', () => launch()],
  ['Firefox', () => launchFirefox(savesTo(downloads))],
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
  const until = (selector, pattern) =>
    page.waitForFunction(
      (where, wanted) => new RegExp(wanted).test(document.querySelector(where)?.textContent ?? ''),
      {},
      selector,
      pattern.source,
    );
  const give = async (selector, path) => (await page.$(selector)).uploadFile(path);
  const set = (selector, value) =>
    page.$eval(
      selector,
      (control, given) => {
        control.value = given;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      },
      value,
    );

  const { controlNames } = visitor(() => page);

  describe('the story writer', () => {
    const write = async (prompt, maxTokens) => {
      await ready('#write');
      await set('#temperature', 0);
      await set('#max-tokens', maxTokens);
      await set('#prompt', prompt);
      await click('#write');
      await until('#speed', /The story can go on/);
      return textOf('#story');
    };

    test('streams the story that llama2.c tells', async () => {
      await open('story.html');
      await page.$eval('#story', (story) => {
        globalThis.growth = 0;
        new MutationObserver((changes) => (globalThis.growth += changes.length)).observe(story, { childList: true });
      });
      const story = await write(begin, 150);
      expect(known.startsWith(story)).toBe(true);
      expect(story.length).toBeGreaterThan(begin.length + 200);
      expect(await page.evaluate(() => globalThis.growth)).toBeGreaterThan(2);
      expect(await textOf('#speed')).toMatch(/150 tokens.* per second/);
      expect(await textOf('#spoken')).toContain('She loved to play outside');
      expect(await controlNames()).not.toContain('');
    });

    test('a saved story goes on after the page was loaded anew', async () => {
      if (name === 'Chromium') {
        const session = await browser.target().createCDPSession();
        await session.send('Browser.setDownloadBehavior', {
          behavior: 'allow',
          downloadPath: downloads,
          eventsEnabled: true,
        });
      }
      await open('story.html');
      const saved = await write(begin, 40);
      await click('#save');
      await until('#speed', /Saved: .*tokens/);
      const file = join(downloads, 'story.safetensors');
      while (!existsSync(file)) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));

      await page.reload();
      await ready('#write');
      await give('#saved input', file);
      await until('#speed', /Loaded/);
      expect(await textOf('#story')).toBe(saved);
      await set('#temperature', 0);
      await set('#max-tokens', 40);
      await ready('#go-on');
      await click('#go-on');
      await until('#speed', /The story can go on/);
      const story = await textOf('#story');
      rmSync(file);
      expect(story.length).toBeGreaterThan(saved.length + 60);
      expect(known.startsWith(story)).toBe(true);
    });

    test('another KV cache is used at once, and the story continues', async () => {
      await open('story.html');
      const story = await write(begin, 40);
      const memory = async () => Number.parseFloat(/([\d.]+) MB of memory/.exec(await textOf('#runtime'))[1]);
      expect(await textOf('#kv-state')).toBe('In use: 32 bits.');
      const before = await memory();
      await page.select('#kv-cache', 'int8');
      await until('#kv-state', /^In use: 8 bits\. The story continues with it\.$/);
      expect(await textOf('#runtime')).toContain('KV cache in 8 bits');
      expect(await memory()).toBeLessThan(before);
      expect(await textOf('#story')).toBe(story);
      await ready('#go-on');
      await set('#max-tokens', 60);
      await click('#go-on');
      await until('#speed', /60 tokens.*The story can go on/);
      expect((await textOf('#story')).length).toBeGreaterThan(story.length + 60);

      // Twice in a row: what was not finished goes on with the later choice.
      await page.select('#kv-cache', 'f16');
      await page.select('#kv-cache', 'f32');
      await until('#kv-state', /^In use: 32 bits\. The story continues with it\.$/);
      expect((await textOf('#story')).startsWith(story)).toBe(true);
      await ready('#go-on');

      // The next choice comes while the story is being given to the restarted model.
      await page.evaluate(() => {
        const [select, state] = ['#kv-cache', '#kv-state'].map((id) => document.querySelector(id));
        const choose = (value) => {
          select.value = value;
          select.dispatchEvent(new Event('change', { bubbles: true }));
        };
        new MutationObserver((_, observer) => {
          if (state.textContent !== 'In use: 16 bits.') return;
          observer.disconnect();
          choose('int8');
        }).observe(state, { childList: true, characterData: true, subtree: true });
        choose('f16');
      });
      await until('#kv-state', /^In use: 8 bits\. The story continues with it\.$/);
      expect((await textOf('#story')).startsWith(story)).toBe(true);
    });

    test('writes facts that match a schema, and shows what a program gets', async () => {
      const modules = [];
      page.on('request', (request) => modules.push(request.url()));
      await open('story.html');
      await ready('#write');
      expect(modules.filter((url) => url.includes('grammar'))).toEqual([]);
      await click('#as-json');
      await set('#temperature', 0);
      await set('#max-tokens', 300);
      await set('#prompt', begin);
      await click('#write');
      await until('#speed', /Done/);
      await until('#parsed', /animals/);
      expect(modules.filter((url) => url.includes('quintet-grammar'))).not.toEqual([]);
      const facts = JSON.parse((await textOf('#story')).slice(begin.length));
      expect(facts.hero).toMatch(/^[A-Z][a-z]{2,9}$/);
      expect(['happy', 'sad', 'scary', 'funny']).toContain(facts.mood);
      const shown = await page.$$eval('#parsed dl > *', (cells) => cells.map((cell) => cell.textContent));
      const { animals, ...others } = facts;
      expect(shown).toEqual([...Object.entries(others).flat(), 'animals', animals.join('')]);
      expect(await textOf('#spoken')).toBe(' Done.');
      expect(await controlNames()).not.toContain('');
      expect(await page.$eval('#go-on', ({ disabled }) => disabled)).toBe(true);

      await page.setViewport({ width: 400, height: 800 });
      await page.emulateMediaFeatures?.([{ name: 'prefers-color-scheme', value: 'dark' }]).catch(() => {});
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);

      // Again, but stopped at the first text: a value that never ends by itself.
      await set('#schema', JSON.stringify({ type: 'array', items: { type: 'string' }, minItems: 100_000 }));
      await set('#max-tokens', 500);
      await page.evaluate(() => {
        const sheet = document.getElementById('story');
        new MutationObserver((_, observer) => {
          if (!sheet.querySelector('.piece')) return;
          observer.disconnect();
          document.getElementById('stop').click();
        }).observe(sheet, { childList: true });
        document.getElementById('write').click();
      });
      await until('#speed', /Stopped/);
      await until('#parsed', /not complete. It was stopped/);

      await set('#schema', '{"contains": {}}');
      await ready('#write');
      const before = await textOf('#story');
      await click('#write');
      await until('#schema-problem', /Line 1.*contains at #/);
      await ready('#write');
      expect(await textOf('#story')).toBe(before);
      await click('#as-json');
      await ready('#go-on');
    });

    test('a foreign file is refused in words, and the story stays', async () => {
      await open('story.html');
      const story = await write(begin, 10);
      await give('#saved input', fixture('images/gradient.png'));
      await until('#problem', /gradient\.png is not a story that this model can continue/);
      await give('#own-model input', fixture('images/gradient.png'));
      await until('#problem', /gradient\.png could not be loaded/);
      expect(await textOf('#story')).toBe(story);
      await ready('#go-on');
    });
  });

  test('the benchmark shows both libraries, which agree', async () => {
    // Both libraries run in workers. Firefox under WebDriver may hang when these start workers of their own, for threads
    // (npm/src/worker/loading.ts), so it gets a page without shared memory.
    if (name === 'Firefox') {
      origin = await forward(site.url, { without: ['cross-origin-opener-policy', 'cross-origin-embedder-policy'] });
    }
    await open('benchmark.html');
    expect(await controlNames()).not.toContain('');
    await page.select('#effort', 'short');
    await ready('#start');
    await click('#start');
    await page.waitForFunction(() => document.querySelector('#done').textContent);
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
  });
});
