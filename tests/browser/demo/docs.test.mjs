// The documentation as a part of the demo site.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, firefox, pagesIn } from '../pages.mjs';
import { parts } from '../site_search/pages.mjs';
import { serveDemoSite } from './demo_site.mjs';

const built = fileURLToPath(new URL('../../../build/web/site/', import.meta.url));

let site;
beforeAll(async () => {
  site = await serveDemoSite();
});
afterAll(() => site?.close());

test('every link between the pages leads to a page and a heading', () => {
  const names = readdirSync(`${built}docs`, { recursive: true }).filter((name) => name.endsWith('.html'));
  const pages = new Map(names.map((name) => [`/docs/${name}`, readFileSync(`${built}docs/${name}`, 'utf8')]));
  expect(pages.size).toBeGreaterThan(30);
  const broken = [];
  let links = 0;
  for (const [page, html] of pages) {
    for (const [, href] of html.matchAll(/<a href="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [path, anchor] = href.split('#');
      const target = path === '' ? page : path.startsWith('/') ? path : join(dirname(page), path);
      if (!target.startsWith('/docs/')) continue;
      ++links;
      const text = pages.get(target);
      if (!text || (anchor && !text.includes(`id="${anchor}"`))) broken.push(`${page}: ${href}`);
    }
  }
  expect(links).toBeGreaterThan(500);
  expect(broken).toEqual([]);
});

describe.each([chromium, firefox])('the documentation in %s', (_, launchBrowser) => {
  const pages = pagesIn(launchBrowser, () => `${site.url}docs/embedding.html`);
  const page = () => pages.current;
  const { find, said } = parts(page);

  test('is searched under the policy of the site, and a result leads to its heading', async () => {
    const refused = [];
    page().on('console', (message) => /Content.Security.Policy/i.test(message.text()) && refused.push(message.text()));
    await page().waitForSelector('quintet-search:defined');
    await page().keyboard.press('/');
    await page().keyboard.type('webpack');
    await said(/result/);
    const hrefs = await page().$$eval(find('a'), (all) => all.map((it) => new URL(it.href).pathname));
    expect(hrefs).toContain('/docs/bundlers.html');
    await Promise.all([page().waitForNavigation(), page().keyboard.press('Enter')]);
    expect(await page().$eval('.docs-text', (text) => text.textContent)).toMatch(/webpack/);
    expect(refused).toEqual([]);
  });

  test.each([360, 1200])('fits %i pixels, with its menu', async (width) => {
    await page().setViewport({ width, height: 800 });
    await page().reload();
    await page().waitForSelector('quintet-search:defined');
    const beyond = await page().evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beyond).toBe(0);
    expect(await page().$eval('.docs-menu', ({ open }) => open)).toBe(width === 1200);
    expect(await page().$$eval('.docs-menu [aria-current=page]', ([it]) => it.textContent)).toBe(
      'Embeddings and search',
    );
    expect(await page().$$eval('h1', (all) => all.length)).toBe(1);
  });
});
