// The installed package in Chromium: built by Vite, and straight from node_modules.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { model, texts, worstCosine } from './golden.mjs';
import { installInEmptyProject, pack, root } from './packed.mjs';
import { serve } from './static_server.mjs';

const pageScript = (source) => `
import { Embedder, capabilities, convert } from '${source}';
async function embed(texts) {
  const embedder = await Embedder.load('./model.weights');
  const vectors = await embedder.embed(texts);
  const { runtime } = embedder.info;
  embedder.close();
  return { vectors: vectors.map((vector) => [...vector]), runtime, capabilities: capabilities() };
}
async function converted() {
  const file = new Uint8Array(await new Response(convert('./model.weights', { to: 'safetensors' })).arrayBuffer());
  const headerBytes = Number(new DataView(file.buffer).getBigUint64(0, true));
  const { __metadata__, ...tensors } = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerBytes)));
  return Object.keys(tensors).length;
}
Object.assign(globalThis, { embed, converted });
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

/** Embeds the golden texts on a page of `folder`, converts the model, and answers what the page said and asked for. */
async function usePage(folder, document) {
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
    const requestsEmbedded = server.requests.length;
    const convertedTensors = await page.evaluate(() => globalThis.converted());
    return {
      ...answer,
      convertedTensors,
      problems,
      wasmBefore: server.requests.slice(0, requestsBefore).filter(isWasm),
      wasmToEmbed: server.requests.slice(requestsBefore, requestsEmbedded).filter(isWasm),
      wasmToConvert: server.requests.slice(requestsEmbedded).filter(isWasm),
    };
  } finally {
    await page.close();
    await server.close();
  }
}
const isWasm = (path) => path.endsWith('.wasm');

function expectRightUse(answer) {
  expect(answer.problems).toEqual([]);
  // Importing alone fetches nothing.
  expect(answer.wasmBefore).toEqual([]);
  expect(worstCosine(answer.vectors)).toBeGreaterThanOrEqual(0.99);
  expect(answer.wasmToEmbed).toEqual([expect.stringMatching(/quintet-relaxed[\w-]*\.wasm$/)]);
  // Conversion has a module of its own.
  expect(answer.convertedTensors).toBeGreaterThan(10);
  expect(answer.wasmToConvert).toEqual([expect.stringMatching(/quintet-convert[\w-]*\.wasm$/)]);
}

test('built by Vite it embeds text and converts under a strict policy', async () => {
  writeFileSync(join(project.folder, 'index.html'), html('./page.js'));
  writeFileSync(join(project.folder, 'page.js'), pageScript('quintet'));
  execFileSync(process.execPath, [`${root}node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'error'], {
    cwd: project.folder,
    stdio: 'pipe',
  });
  copyFileSync(model, join(project.folder, 'dist', 'model.weights'));
  expectRightUse(await usePage(join(project.folder, 'dist'), 'index.html'));
}, 60_000);

test('without a bundler it embeds text and converts under a strict policy', async () => {
  writeFileSync(join(project.folder, 'plain.html'), html('./plain.js'));
  writeFileSync(join(project.folder, 'plain.js'), pageScript('./node_modules/quintet/dist/index.js'));
  copyFileSync(model, join(project.folder, 'model.weights'));
  expectRightUse(await usePage(project.folder, 'plain.html'));
}, 60_000);
