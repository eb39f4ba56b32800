// The page at the root of `quintet serve`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byteModel } from '../npm/helpers/models/byte_model.mjs';
import { chromium, firefox, pagesIn } from './pages.mjs';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const template = '{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}';
const folder = mkdtempSync(join(tmpdir(), 'quintet-serve-'));
let server;
let url;

beforeAll(async () => {
  // All of its tokens are equally probable, also the one that ends an answer.
  writeFileSync(join(folder, 'tiny.gguf'), byteModel(template));
  server = spawn(process.execPath, [cli, 'serve', join(folder, 'tiny.gguf'), '--port', '0']);
  let errors = '';
  while (!url) {
    errors += (await once(server.stderr, 'data'))[0];
    url = /listening at (\S+)/.exec(errors)?.[1];
  }
  server.stdout.resume();
});
afterAll(() => {
  server?.kill();
  rmSync(folder, { recursive: true });
});

describe.each([chromium, firefox])('the page of a server in %s', (_, launchBrowser) => {
  const pages = pagesIn(launchBrowser, () => `${url}/`);

  test('lists the models, and shows what was asked and the end of the answer', async () => {
    const page = pages.current;
    await page.waitForFunction(() => document.querySelector('#model').value === 'tiny');
    await page.type('#text', '<b>Hello</b>');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-role=assistant]');
    expect(await page.$eval('[data-role=user]', ({ innerHTML }) => innerHTML)).toBe('&lt;b&gt;Hello&lt;/b&gt;');
    await page.waitForFunction(() => document.querySelector('#send').textContent === 'Send');
    expect(await page.$('[data-role=error]')).toBeNull();
  });
});
