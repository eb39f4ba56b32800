// The field for a model by name or URL, which is on every page of the demo site that has a model.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { storyteller } from '../../../models/index.js';
import { site as siteFolder } from '../../../web/building/paths.mjs';
import { launch, launchFirefox } from '../browsers.mjs';
import { serveDemoSite } from './demo_site.mjs';
import { visitor } from './visitor.mjs';

const story = readFileSync(storyteller);
let site;
/** Addresses of models that the site has, under names with their digests. */
let address;
let embedderAddress;
beforeAll(async () => {
  site = await serveDemoSite();
  const addressOf = (pattern) =>
    `${site.url}assets/${readdirSync(`${siteFolder}assets`).find((each) => pattern.test(each))}`;
  address = addressOf(/^stories260k.*\.amb$/);
  embedderAddress = addressOf(/^embedder.*\.weights$/);
});
afterAll(() => site?.close());

describe.each([
  ['Chromium', () => launch()],
  ['Firefox', () => launchFirefox()],
])('%s', (_, launchBrowser) => {
  let browser;
  let page;
  const { textOf, until } = visitor(() => page);
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(() => page.close());

  const look = async (source) => {
    await page.waitForSelector('#named-model input');
    await page.$eval('#named-model input', (input, value) => (input.value = value), source);
    await page.$eval('#named-model', (form) => form.requestSubmit());
  };

  test.each(['search', 'chat', 'documents', 'forms', 'images', 'photos', 'files'])(
    '/%s.html: what is no name is refused with a sentence',
    async (name) => {
      await page.goto(`${site.url}${name}.html`);
      await look('some/model');
      await until('#named-model [role=status]', /A name begins with hf:, a URL with https:/);
    },
  );

  test.each([
    ['search', /all-MiniLM-L6-v2: 91 MB, Apache 2\.0/],
    ['photos', /CLIP ViT-B\/32: 605 MB, MIT/],
  ])('/%s.html suggests models with sizes and licences', async (name, suggestion) => {
    await page.goto(`${site.url}${name}.html`);
    await page.waitForSelector('#named-model .chip');
    expect(await textOf('#named-model')).toMatch(suggestion);
  });

  test('download and memory are shown, and then the model is used', async () => {
    await page.goto(`${site.url}chat.html`);
    await page.waitForSelector('#model-cards summary');
    await page.click('#model-cards summary');
    await look(address);
    await until('#named-model [role=status]', /It downloads 1\.1 MB, and needs about [\d.]+ MB of memory\./);
    await page.click('#named-model [role=status] button');
    await page.waitForSelector('#send:not([disabled])');
    await until('#runtime', /stories260k.*tokens/);
  });

  test('the search page indexes its texts again with another embedder, and returns to the first', async () => {
    await page.goto(`${site.url}search.html`);
    await until('#runtime', /memory/);
    await look(embedderAddress);
    await until('#named-model [role=status]', /It downloads 6\.9 MB/);
    await page.click('#named-model [role=status] button');
    await page.waitForSelector('#bundled:not([hidden])');
    await until('#indexing', /[1-9][\d,]* of 2,\d\d\d/);
    await page.click('#bundled');
    await page.waitForSelector('#bundled[hidden]');
  });

  test('reports that it is offline, and keeps the model in use', async () => {
    await page.goto(`${site.url}chat.html`);
    await page.waitForSelector('#own-model input');
    await (await page.$('#own-model input')).uploadFile(fileURLToPath(storyteller));
    await page.waitForSelector('#send:not([disabled])');
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
    await look('hf:OWNER/NAME');
    await until('#named-model [role=status]', /You are offline.*The one in use stays/);
    expect(await page.$eval('#send', (button) => button.disabled)).toBe(false);
  });

  test('the files page opens a model by its URL, and validates it on request', async () => {
    await page.goto(`${site.url}files.html`);
    await look(address);
    await until('#facts', /AMB/);
    expect(await textOf('#facts')).toContain(`${(story.length / 1e6).toFixed(1)} MB`);
    await page.click('#check-again');
    await until('#check', /is valid/);
  });
});
