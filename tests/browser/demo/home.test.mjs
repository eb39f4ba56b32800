// The first page of the demo site, which searches a book, and how pages are isolated on hosts that send no headers.
import { readFileSync } from 'node:fs';
import { chromium, firefox, webKit } from '../pages.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { forward } from './forwarding.mjs';
import { visitor } from './visitor.mjs';

const book = readFileSync(new URL('../../../web/book/astronomy.txt', import.meta.url), 'utf8');

let site;
beforeAll(async () => {
  site = await serveDemoSite();
});
afterAll(() => site?.close());

describe.each([chromium, firefox])('in %s', (_, launchBrowser) => {
  let browser;
  let page;
  let origin;
  const { textOf, until, click } = visitor(() => page);
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(async () => {
    await page.close();
    await origin?.close();
    origin = undefined;
  });

  const ask = (question) =>
    page.$eval(
      '#query',
      (field, asked) => {
        field.value = asked;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      },
      question,
    );
  const titles = () => page.$$eval('#results h3', (all) => all.map((each) => each.textContent));
  const listed = (title) =>
    page.waitForFunction(
      (wanted) => [...document.querySelectorAll('#results h3')].some((each) => each.textContent.startsWith(wanted)),
      {},
      title,
    );

  test('answers an example question at once, for 200 KB, and shows how much it has downloaded', async () => {
    origin = await forward(site.url);
    await page.goto(origin.url);
    await page.waitForSelector('#results > li');
    expect((await titles()).join()).toMatch(/Rings/);
    const total = origin.transfers.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThan(260_000);
    const [, search] = /search: (\d+) kB/.exec(await textOf('#found'));
    const searched = origin.transfers.filter(({ path }) => path.startsWith('/book/search/'));
    expect(1000 * Number(search)).toBeLessThan(total);
    expect(searched.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(0.8 * 1000 * Number(search));
    await until('#found', /answered in .*m?s/);
  });

  test('finds passages of the book as a question is typed, and opens them', async () => {
    await page.goto(site.url);
    await ask('why is venus so hot');
    await listed('The Massive Atmosphere of Venus');
    for (const passage of await page.$$eval('#results .passage', (all) => all.map((each) => each.textContent)))
      expect(book.replace(/\s+/g, ' ')).toContain(passage.replace(/…/g, '').replace(/\s+/g, ' ').trim().slice(0, 60));
    // The keyboard reaches the first answer and opens it.
    await page.focus('#query');
    await page.keyboard.press('Enter');
    const href = await page.evaluate(() => document.activeElement.getAttribute('href'));
    expect(href).toMatch(/\/book\/.*\.html/);
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(await page.$$eval('h1', (all) => all.length)).toBe(1);
    const { hash } = new URL(page.url());
    if (hash) expect(await page.$eval(hash, ({ tagName }) => tagName)).toBe('H2');

    await page.goto(`${site.url}book/`);
    expect(await page.$$eval('.docs-text li a', (links) => links.length)).toBeGreaterThan(140);
    expect(await textOf('.lead')).toMatch(/CC BY 4\.0/);
  });

  test('works offline, for questions asked before', async () => {
    origin = await forward(site.url);
    await page.goto(origin.url);
    await page.waitForSelector('#results > li');
    const before = await titles();
    await until('#offline', /Works offline/);
    await origin.close();
    await page.goto(origin.url);
    await page.waitForSelector('#results > li');
    expect(await titles()).toEqual(before);
  });

  test('on a host without headers, the service worker isolates pages that ask for it', async () => {
    const without = ['cross-origin-opener-policy', 'cross-origin-embedder-policy', 'cross-origin-resource-policy'];
    origin = await forward(site.url, { without, head: '<meta name="headers" content="added">' });
    await page.goto(`${origin.url}search.html?q=comets`);
    await page.waitForFunction(() => globalThis.crossOriginIsolated && document.querySelector('#results > li'));
    await page.goto(`${origin.url}index.html`);
    await page.waitForSelector('#results > li');
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
    await click('#examples button');
    await listed('The Massive Atmosphere of Venus');
  });
});

test('WebKit: a question is answered', async () => {
  const [, launchBrowser] = webKit;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForFunction("document.querySelectorAll('#results > li').length === 5");
    await page.evaluate(() => document.querySelector('#examples button').click());
    await page.waitForFunction("/Atmosphere of Venus/.test(document.getElementById('results').textContent)");
    await page.close();
  } finally {
    await browser.close();
  }
});
