// The sites of examples/site-search, built by their own tools and searched in a browser.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../browser/browsers.mjs';
import { serveFolder } from '../browser/site_search/handbook.mjs';
import { parts } from '../browser/site_search/pages.mjs';

const example = fileURLToPath(new URL('../../examples/site-search/', import.meta.url));

let folder;
let browser;
beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'quintet-site-search-'));
  cpSync(example, folder, { recursive: true, filter: (path) => !/\/(node_modules|dist|cache)$/.test(path) });
  symlinkSync(join(example, 'node_modules'), join(folder, 'node_modules'));
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['plain', 'plain/pages', 'recipes/bread.html'],
  ['eleventy', 'eleventy/dist', 'bread/'],
  ['vite', 'vite/dist', 'bread/'],
  ['vitepress', 'vitepress/.vitepress/dist', 'bread.html'],
])('%s', async (name, built, address) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', name], { cwd: folder, encoding: 'utf8' });
  expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  const server = await serveFolder(join(folder, built));
  const page = await browser.newPage();
  const { find, textsOf, said } = parts(() => page);
  await page.goto(server.url);
  await page.waitForSelector('quintet-search:defined');
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.keyboard.type('sourdough');
  await said(/^1 result$/);
  expect(await textsOf('[part=title]')).toEqual([expect.stringMatching(/^Bread/), 'Sourdough']);
  expect(page.workers()).toHaveLength(1);
  const [href] = await page.$$eval(find('a'), ([, section]) => [section.href.split(':~:')[0]]);
  expect(href.replace('/index.html', '/')).toBe(`${server.url}${address}#sourdough`);
  // The link leads where the heading is.
  await page.goto(href);
  expect(await page.$eval('#sourdough', (heading) => heading.textContent)).toMatch(/Sourdough/);
  await page.close();
  await server.close();
});
