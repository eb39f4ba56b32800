// examples/electron without Electron, whose binaries npm does not have. Chromium opens the page, under its own policy,
// and the code of the main process answers it.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { launch } from '../browser/browsers.mjs';
import { installInEmptyProject, root } from '../package/packed.mjs';

const files = ['main.mjs', 'answer.mjs', 'public', 'package.json'];

let project;
let answer;
beforeAll(async () => {
  const example = join(root, 'examples/electron');
  project = installInEmptyProject({ tools: ['electron'], toolsOf: example });
  for (const file of files) {
    const isSource = (path) => !path.endsWith('public/quintet');
    cpSync(join(example, file), join(project.folder, file), { recursive: true, filter: isSource });
  }
  execFileSync('npm', ['run', 'assets'], { cwd: project.folder, stdio: 'pipe' });
  ({ answer } = await import(pathToFileURL(join(project.folder, 'answer.mjs')).href));
});
afterAll(() => project?.remove());

/** Electron's `protocol.handle`, as an HTTP server. */
async function handle(answer) {
  const server = createServer(async (incoming, response) => {
    const { method, url, headers } = incoming;
    const body = method === 'GET' ? {} : { body: Readable.toWeb(incoming), duplex: 'half' };
    const answered = await answer(new Request(new URL(url, 'http://127.0.0.1'), { method, headers, ...body }));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    Readable.fromWeb(answered.body).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a window searches, and asks the main process', async () => {
  const server = await handle(answer);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (!message.text().includes('favicon')) problems.push(message.text());
    });
    await page.goto(`${server.url}index.html`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

    await page.locator('[name=query]').fill('why does the ocean ebb and flow');
    await page.locator('form button').click();
    await page.waitForSelector('li');
    expect(await page.$$eval('li', ([first]) => first.textContent)).toBe('The moon pulls the sea, which makes tides.');

    await page.locator('#tell').click();
    await page.waitForFunction(() => document.querySelector('output').textContent);
    const told = await page.$eval('output', (output) => output.textContent);
    // llama2.c's own program wrote it.
    const story = readFileSync(`${root}tests/fixtures/storyteller/expected_greedy_200.txt`, 'utf8');
    expect(told.length).toBeGreaterThan(60);
    expect(story.startsWith(`Once upon a time${told}`)).toBe(true);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});

test.each([
  'app://quintet/../answer.mjs',
  'app://quintet/%2e%2e/answer.mjs',
  'app://quintet/..%2fanswer.mjs',
  'app://quintet/..\\answer.mjs',
  'app://quintet//answer.mjs',
  'app://quintet/nothing.js',
])('a window cannot read %s', async (url) => {
  const { status } = await answer(new Request(url));
  expect(status).toBe(404);
});

test("the types are Electron's", () => {
  const options = '--noEmit --strict --allowJs --checkJs --skipLibCheck --module nodenext --target es2022'.split(' ');
  const { status, stdout } = spawnSync(`${root}node_modules/.bin/tsc`, [...options, 'main.mjs'], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
