// The examples of README.md do what they show, with the packages as they are published.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { nodePath } from '../../tools/node_versions.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { serve } from './static_server.mjs';

const [nodeExample, pageExample, nodeStory, pageStory, nodePicture, pagePicture] = [
  ...readFileSync(`${root}README.md`, 'utf8').matchAll(/^```js\n([^]*?)^```$/gm),
].map(([, code]) => code);
const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

let project;
beforeAll(() => {
  project = installInEmptyProject();
}, 60_000);
afterAll(() => project?.remove());

test.each([20, 24])('the example for Node finds the right text in Node %i', (major) => {
  const output = runInNode(major, nodeExample);
  expect(output).toMatch(/^0\.\d\d The moon pulls the tides\.\n$/);
});

test.each([20, 24])('the example for Node tells a story in Node %i', (major) => {
  const output = runInNode(major, nodeStory);
  expect(output).toMatch(/^, [a-zA-Z ,.!?"'\n]{150,}\n100 tokens, ended by length\n$/);
  expect(runInNode(major, nodeStory)).toBe(output);
});

test.each([20, 24])('the example for Node knows a cat in Node %i', (major) => {
  expect(runInNode(major, nodePicture)).toMatch(/^cat 0\.\d\d, dog 0\.\d\d\n$/);
});

test('the example for pages runs in Chromium, built by Vite', async () => {
  expect(await builtPage(pageExample, /WebAssembly/)).toMatch(/^0\.\d\d, by (relaxed|baseline) WebAssembly$/);
}, 60_000);

test('the example for pages that tells a story runs in Chromium, built by Vite', async () => {
  expect(await builtPage(pageStory, /^[^]{300}/)).toMatch(/^, there was a little girl named Lily\. /);
}, 60_000);

test('the example for pages that shows a picture runs in Chromium, built by Vite', async () => {
  expect(await builtPage(pagePicture, /%/)).toMatch(/^cat, \d\d %$/);
}, 60_000);

function runInNode(major, example) {
  writeFileSync(join(project.folder, 'example.mjs'), example);
  return execFileSync(nodePath(major), ['example.mjs'], { cwd: project.folder, encoding: 'utf8' });
}

/** The text of a page with this script, once it is like that. */
async function builtPage(script, complete) {
  const page = '<!doctype html><title>quintet</title><body><script type="module" src="./main.js"></script>';
  writeFileSync(join(project.folder, 'index.html'), page);
  writeFileSync(join(project.folder, 'main.js'), script);
  execFileSync(process.execPath, [`${root}node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'error'], {
    cwd: project.folder,
    stdio: 'pipe',
  });
  return textOfPage(join(project.folder, 'dist'), complete);
}

async function textOfPage(folder, complete) {
  const server = await serve(folder);
  const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}index.html`);
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.body.textContent), {}, complete.source);
    return await page.evaluate(() => document.body.textContent.trim());
  } finally {
    await browser.close();
    await server.close();
  }
}
