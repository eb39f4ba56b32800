// The pages of examples/pages in Chromium, with small models under the names of the real ones.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../browser/browsers.mjs';
import { serveFolder } from '../browser/site_search/handbook.mjs';
import { withChatTemplate, withContextLength } from '../npm/helpers/models/chat_template.mjs';
import { serveHub } from '../npm/helpers/servers/hub_server.mjs';
import { writeLabelFolder } from '../npm/label/label_folders.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const filesOf = (folder) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
const document = 'Water tomatoes early in the morning.\n\nYeast makes gas that lets bread rise.\n';

let folder;
let hub;
let server;
let browser;
let page;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quintet-pages-'));
  hub = await serveHub();
  const chatModel = withContextLength(withChatTemplate(`${root}tests/fixtures/families/qwen2-tied.gguf`), 2048);
  hub.add('Qwen/Qwen3-0.6B-GGUF', { 'Qwen3-0.6B-Q8_0.gguf': chatModel });
  hub.add('sentence-transformers/all-MiniLM-L6-v2', {
    'minilm.weights': readFileSync(`${root}models/embedder-int8.weights`),
  });
  writeLabelFolder(join(folder, 'ner'), 'bert', { labels: ['B-PER', 'B-LOC'], perToken: true });
  hub.add('dslim/bert-base-NER', filesOf(join(folder, 'ner')));
  hub.add('google/siglip-base-patch16-224', filesOf(`${root}tests/fixtures/vision/siglip-hf`));

  cpSync(`${root}examples/pages`, folder, { recursive: true });
  writeFileSync(join(folder, 'garden.txt'), document);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.html'))) {
    const html = readFileSync(join(folder, name), 'utf8');
    expect(html).toContain('cache: true');
    writeFileSync(
      join(folder, name),
      html.replaceAll('cache: true', `cache: true, hub: { endpoint: '${hub.endpoint}' }`),
    );
  }
  execFileSync(process.execPath, [`${root}dist/cli.js`, 'assets', 'quintet'], { cwd: folder, stdio: 'pipe' });
  server = await serveFolder(folder);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await hub?.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const open = (name) => page.goto(server.url + name);
const textOf = (selector) => page.$eval(selector, (element) => element.textContent);
/** The status, once it is another one than progress. */
async function status(expected) {
  await page.waitForFunction(
    (source) => new RegExp(source).test(globalThis.document.querySelector('#status').textContent),
    {},
    expected.source,
  );
  return textOf('#status');
}

test('chat.html answers', async () => {
  await open('chat.html');
  await page.type('input', 'Why is the sky blue?');
  await page.click('form button');
  expect(await status(/tokens a second/)).toMatch(/^(length|eos), \d+ tokens/);
  expect(await textOf('#messages p')).toBe('You: Why is the sky blue?');
  expect((await textOf('#messages p + p')).length).toBeGreaterThan(10);
});

test('search.html finds a note, and another one after a change', async () => {
  await open('search.html');
  await page.click('button');
  await status(/^3 notes/);
  expect(await textOf('li')).toBe('The moon pulls the sea, which makes tides.');
  await page.$eval('textarea', (area) => (area.value = 'Bread rises.\nHigh and low tide follow the moon.'));
  await page.click('button');
  await status(/^2 notes/);
  expect(await textOf('li')).toBe('High and low tide follow the moon.');
});

test('documents.html shows passages and answers', async () => {
  await open('documents.html');
  await (await page.$('[type=file]')).uploadFile(join(folder, 'garden.txt'));
  await page.type('[name=question]', 'What makes bread rise?');
  await page.click('button');
  await status(/^Done/);
  expect(await textOf('ol')).toContain('Yeast makes gas');
  expect((await textOf('output')).length).toBeGreaterThan(10);
});

test('form.html fills in a form', async () => {
  await open('form.html');
  await page.click('#fill');
  await status(/^Check/);
  const values = await page.$$eval('form [name]', (fields) => fields.map(({ name, value }) => [name, value]));
  const { bought, wants } = Object.fromEntries(values);
  expect(values.map(([name]) => name)).toEqual(['name', 'product', 'bought', 'wants']);
  expect(bought).toMatch(/^\d{4}-\d\d-\d\d$|^$/); // a random year may be one that the field does not accept
  expect(['refund', 'repair', 'advice']).toContain(wants);
});

test('labels.html marks parts of the text', async () => {
  await open('labels.html');
  await page.click('button');
  expect(await status(/found/)).toMatch(/^[1-9]\d* found$/);
  expect(await textOf('output')).toBe('Ada Lovelace met Charles Babbage in London.');
  expect(await page.$$eval('mark', (marks) => marks.every(({ title }) => ['PER', 'LOC'].includes(title)))).toBe(true);
});

test('photos.html orders photographs by words', async () => {
  await open('photos.html');
  const photographs = ['cat', 'owl', 'bird'].map((name) => `${root}models/pictures/${name}.jpg`);
  await (await page.$('[type=file]')).uploadFile(...photographs);
  await page.waitForSelector('button:not([disabled])');
  await page.click('button');
  await page.waitForSelector('#results img');
  const names = await page.$$eval('img', (all) => all.map(({ alt }) => alt));
  expect(names.toSorted()).toEqual(['bird.jpg', 'cat.jpg', 'owl.jpg']);
});
