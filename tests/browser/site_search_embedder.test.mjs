// <quintet-search embedder>: the transformer of an index is loaded for who searches, and improves what is shown.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite } from '../../dist/node_site.js';
import { chromium, firefox, pagesIn } from './pages.mjs';
import { buildHandbook, serveFolder } from './site_search/handbook.mjs';
import { parts } from './site_search/pages.mjs';

let folder;
beforeAll(async () => {
  const handbook = await buildHandbook();
  folder = mkdtempSync(join(tmpdir(), 'quintet-embedder-'));
  cpSync(handbook.folder, folder, { recursive: true });
  handbook.remove();
  await buildSite({ dir: folder, cache: false, model: false, embedder: true });
  const page = `${folder}/index.html`;
  writeFileSync(`${folder}/plain.html`, readFileSync(page));
  writeFileSync(page, readFileSync(page, 'utf8').replace('<quintet-search>', '<quintet-search embedder>'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([chromium, firefox])('an embedder in %s', (_, launchBrowser) => {
  let server;
  beforeEach(async () => {
    // The policy that a page with an embedder needs, and nothing else.
    const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
    server = await serveFolder(folder, { headers: { 'content-security-policy': policy } });
  });
  afterEach(() => server.close());
  const pages = pagesIn(launchBrowser, () => 'about:blank');
  const page = () => pages.current;
  const { textsOf, said } = parts(page);
  /** None of its words are in the handbook, except for little ones. */
  const query = 'how to wash windows';
  const ask = async (path) => {
    await page().goto(server.url + path);
    await page().waitForSelector('quintet-search:defined');
    expect(server.requests.filter((each) => each.includes('embedder'))).toEqual([]);
    await page().keyboard.press('/');
    await page().keyboard.type(query);
  };

  test('finds by meaning what no word finds, once it is loaded', async () => {
    await ask('index.html');
    await said(/^\d results?$/);
    expect((await textsOf('[part=title]'))[0]).toBe('Cleaning the lamp');
  });

  test('is loaded only by pages that ask for it', async () => {
    await ask('plain.html');
    await said(/^No results/);
    expect(server.requests.filter((each) => each.includes('embedder'))).toEqual([]);
  });

  test('is not loaded for visitors who save data', async () => {
    await page().evaluateOnNewDocument(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    await ask('index.html');
    await said(/^No results/);
    expect(server.requests.filter((each) => each.includes('embedder'))).toEqual([]);
  });
});
