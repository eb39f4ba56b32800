// The installed package in Chromium: built by Vite, and straight from node_modules.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { model, texts, worstCosine } from './golden.mjs';
import { installInEmptyProject, pack, root } from './packed.mjs';
import { serve } from './static_server.mjs';

const pageScript = (source) => `
import { Embedder, capabilities } from '${source}';
async function embed(texts) {
  const embedder = await Embedder.load('./model.weights');
  const vectors = await embedder.embed(texts);
  const { runtime } = embedder.info;
  embedder.close();
  return { vectors: vectors.map((vector) => [...vector]), runtime, capabilities: capabilities() };
}
globalThis.embed = embed;
`;
const html = (script) => `<!doctype html><title>quintet</title><script type="module" src="${script}"></script>`;
const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

let project;
let browser;
beforeAll(async () => {
  project = installInEmptyProject(pack().path);
  browser = await puppeteer.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  project?.remove();
});

/** Embeds the golden texts on a page of `folder` and answers what the page said and asked for. */
async function embedOnPage(folder, document) {
  const server = await serve(folder);
  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('requestfailed', (request) => problems.push(request.url()));
  try {
    await page.goto(server.url + document);
    await page.waitForFunction(() => 'embed' in globalThis);
    const requestsBefore = server.requests.length;
    const answer = await page.evaluate((texts) => globalThis.embed(texts), texts);
    return { ...answer, problems, wasmBefore: server.requests.slice(0, requestsBefore).filter(isWasm) };
  } finally {
    await page.close();
    await server.close();
  }
}
const isWasm = (path) => path.endsWith('.wasm');

function expectGolden(answer) {
  expect(answer.problems).toEqual([]);
  // Importing alone fetches nothing.
  expect(answer.wasmBefore).toEqual([]);
  expect(worstCosine(answer.vectors)).toBeGreaterThanOrEqual(0.99);
}

test('built by Vite it embeds text under a strict policy', async () => {
  writeFileSync(join(project.folder, 'index.html'), html('./page.js'));
  writeFileSync(join(project.folder, 'page.js'), pageScript('quintet'));
  execFileSync(process.execPath, [`${root}node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'error'], {
    cwd: project.folder,
    stdio: 'pipe',
  });
  copyFileSync(model, join(project.folder, 'dist', 'model.weights'));
  expectGolden(await embedOnPage(join(project.folder, 'dist'), 'index.html'));
}, 60_000);

test('without a bundler it embeds text under a strict policy', async () => {
  writeFileSync(join(project.folder, 'plain.html'), html('./plain.js'));
  writeFileSync(join(project.folder, 'plain.js'), pageScript('./node_modules/quintet/dist/index.js'));
  copyFileSync(model, join(project.folder, 'model.weights'));
  expectGolden(await embedOnPage(project.folder, 'plain.html'));
}, 60_000);
