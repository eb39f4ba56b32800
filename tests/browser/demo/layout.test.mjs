// Every page of the demo site fits a phone in both color schemes, its controls have names, it logs no error, and it
// sends no request to another host.
import { pages } from '../../../web/building/pages.mjs';
import { openWatchedPage } from '../origins.mjs';
import { chromium, firefox } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { visitor } from './visitor.mjs';

let site;
beforeAll(async () => {
  site = await serveDemoSite();
});
afterAll(() => site?.close());

const names = [...pages.map(({ name }) => `${name}.html`), 'book/index.html', 'book/the-geology-of-mars.html'];

describe.each([chromium, firefox])('in %s', (_, launchBrowser) => {
  let browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each(names)('%s', async (name) => {
    const { page, closeHome } = await openWatchedPage(browser);
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.setViewport({ width: 360, height: 740 });
    await page.goto(site.url + name);
    // Scripts have run: those of a page come after this one.
    await page.waitForFunction(() => document.getElementById('offline') && document.readyState === 'complete');
    for (let scheme = 0; scheme < 2; ++scheme) {
      await page.$eval('#theme', (button) => button.click());
      const beyond = await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        return document.documentElement.scrollWidth - document.documentElement.clientWidth;
      });
      expect(beyond).toBe(0);
    }
    const { controlNames } = visitor(() => page);
    expect(await controlNames()).not.toContain('');
    expect(await page.$$eval('h1', (all) => all.length)).toBe(1);
    expect(wrong).toEqual([]);
    await closeHome(site.url);
  });
});
