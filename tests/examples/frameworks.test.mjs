// examples/nextjs and examples/sveltekit, built by their frameworks with the packages as npm would install them: their
// pages search in browsers, and OpenAI's client talks to their servers.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { nodePath } from '../../tools/node_versions.mjs';
import { chromium, firefox } from '../browser/pages.mjs';
import { texts, worstCosine } from '../package/golden.mjs';
import { installInEmptyProject, root } from '../package/packed.mjs';
import { urlOf } from '../package/started_server.mjs';

const run = promisify(execFile);

/** Changes a setting of a copied app, so that its build skips what only costs time here. */
function change(folder, [name, from, to]) {
  const file = join(folder, name);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${name} has no '${from}'`);
  writeFileSync(file, after);
}

const apps = [
  {
    name: 'nextjs',
    node: process.execPath,
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1'],
    workers: /turbopack-worker/,
    // Only for the next build, and a quarter of this one.
    setting: [
      'next.config.mjs',
      'export default {',
      'export default { experimental: { turbopackFileSystemCacheForBuild: false },',
    ],
  },
  {
    name: 'sveltekit',
    // SvelteKit 3 needs Node 22.
    node: nodePath(24),
    build: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'],
    start: ['server.js'],
    workers: /embedder_worker|compute_thread/,
    // Compressing all files takes ten times as long as everything else.
    setting: ['vite.config.js', 'adapter()', 'adapter({ precompress: false })'],
  },
];

/** A copy without what was built there and without its lock file, in which Next.js would see the root of a project. */
function installExample(name) {
  const example = join(root, 'examples', name);
  const tools = readdirSync(join(example, 'node_modules')).filter((tool) => !/^\.|^quintet/.test(tool));
  // Turbopack does not follow links out of the repository.
  const project = installInEmptyProject({ tools, toolsOf: example, within: join(root, 'build') });
  rmSync(join(project.folder, 'package-lock.json'));
  const isSource = (path) => !/\/(node_modules|build|\.next|\.svelte-kit|package-lock\.json)$/.test(path);
  cpSync(example, project.folder, { recursive: true, filter: isSource });
  return project;
}

describe.each(apps)('$name', ({ name, node, build, start, workers, setting }) => {
  let project;
  let server;
  let url;
  beforeAll(async () => {
    project = installExample(name);
    change(project.folder, setting);
    const options = { cwd: project.folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PORT: '0' } };
    await run(node, build, options);
    server = spawn(node, start, options);
    url = await urlOf(server);
  });
  afterAll(async () => {
    if (server?.kill()) await once(server, 'exit');
    project?.remove();
  });

  test.each([chromium, firefox])('its page searches in %s, with threads', async (_, launchBrowser) => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const problems = [];
      const scripts = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(url)) problems.push(`${request.url()} asked for`);
        if (workers.test(request.url())) scripts.push(request.url());
      });
      await page.goto(url, { waitUntil: 'networkidle0' });
      await page.locator('[name=query]').fill('why does the ocean ebb and flow');
      await page.locator('button').click();
      await page.waitForSelector('li');
      const found = await page.$$eval('li', (items) => items.map((item) => item.textContent));
      expect(found[0]).toBe('The moon pulls the sea, which makes tides.');
      expect(found).toHaveLength(3);
      expect(problems).toEqual([]);
      // One runs the model, the others are its threads.
      expect(new Set(scripts).size).toBeGreaterThanOrEqual(2);
    } finally {
      await browser.close();
    }
  });

  describe('its server', () => {
    let client;
    beforeAll(() => {
      client = new OpenAI({ baseURL: `${url}v1`, apiKey: 'none', maxRetries: 0 });
    });
    // llama2.c's own program wrote it.
    const story = readFileSync(`${root}tests/fixtures/storyteller/expected_greedy_200.txt`, 'utf8');
    const prompt = 'Once upon a time';
    const request = { model: 'stories', prompt, max_tokens: 40, temperature: 0 };

    test('completes a text', async () => {
      const { choices } = await client.completions.create(request);
      expect(choices[0].text.length).toBeGreaterThan(60);
      expect(story.startsWith(prompt + choices[0].text)).toBe(true);
    });

    test('streams it', async () => {
      const parts = [];
      for await (const { choices } of await client.completions.create({ ...request, stream: true }))
        parts.push(choices[0]?.text ?? '');
      expect(parts.length).toBeGreaterThan(20);
      expect(story.startsWith(prompt + parts.join(''))).toBe(true);
    });

    test('embeds', async () => {
      const { data } = await client.embeddings.create({ model: 'minilm', input: texts });
      expect(worstCosine(data.map(({ embedding }) => embedding))).toBeGreaterThanOrEqual(0.99);
    });

    test('lists its models', async () => {
      const { data } = await client.models.list();
      expect(data.map(({ id }) => id)).toEqual(['stories', 'minilm']);
    });

    test('names what is wrong', async () => {
      await expect(client.embeddings.create({ model: 'minilm', input: 'a', dimensions: -1 })).rejects.toMatchObject({
        status: 400,
        param: 'dimensions',
      });
    });
  });
});
