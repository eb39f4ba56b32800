// The installed packages in an extension (Manifest V3), loaded unpacked in Chromium: in its own page and in its service
// worker.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { executablePath } from '../browser/browsers.mjs';
import { expectRight, texts } from './golden.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { exampleOf } from './sites.mjs';

const requests = { embed: { job: 'embed', texts }, generate: { job: 'generate' }, classify: { job: 'classify' } };

const imports = (entry) => `
import * as quintet from './quintet/${entry}';
import * as models from './quintet-models/index.js';
import { answerOf, download, jobsOf } from './jobs.js';
const jobs = jobsOf(quintet, models, download);
`;
const page = `${imports('index.js')}
globalThis.answer = (request) => answerOf(jobs, request);
globalThis.askBackground = (request) => chrome.runtime.sendMessage(request);
`;
const background = `${imports('service_worker.js')}
chrome.runtime.onMessage.addListener((request, sender, send) => {
  answerOf(jobs, request).then(send);
  return true;
});
`;

let project;
let browser;
let extensionPage;
beforeAll(async () => {
  project = installInEmptyProject();
  const extension = join(project.folder, 'extension');
  mkdirSync(extension);
  const copy = (from, to) => cpSync(from, join(extension, to), { recursive: true });
  copy(join(project.folder, 'node_modules/quintet/dist'), 'quintet');
  copy(join(project.folder, 'node_modules/quintet-models'), 'quintet-models');
  copy(`${root}tests/package/site/jobs.js`, 'jobs.js');
  const files = {
    'manifest.json': exampleOf('Extensions', 'json'),
    'page.html': '<!doctype html><title>quintet</title><script type="module" src="page.js"></script>',
    'page.js': page,
    'background.js': background,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(extension, name), content);

  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  browser = await puppeteer.launch({ executablePath, args, pipe: true, enableExtensions: [extension] });
  const worker = await browser.waitForTarget((target) => target.url().endsWith('/background.js'));
  extensionPage = await browser.newPage();
  await extensionPage.goto(new URL('page.html', worker.url()).href);
  await extensionPage.waitForFunction(() => 'answer' in globalThis);
});
afterAll(async () => {
  await browser?.close();
  project?.remove();
});

test('a page of the extension has everything, threads included', async () => {
  for (const [job, request] of Object.entries(requests)) {
    const answer = await extensionPage.evaluate((request) => globalThis.answer(request), { ...request, threads: 2 });
    expectRight[job](answer);
    expect(answer.runtime).toMatchObject({ worker: true, threads: 2, fallbacks: [] });
  }
});

test('its service worker has everything in one thread', async () => {
  for (const [job, request] of Object.entries(requests)) {
    const answer = await extensionPage.evaluate((request) => globalThis.askBackground(request), request);
    expectRight[job](answer);
    expect(answer.runtime).toMatchObject({ worker: false, threads: 1 });
  }
});
