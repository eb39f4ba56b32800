// The examples of README.md do what they show, with the packages as they are published.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { nodePath } from '../../tools/node_versions.mjs';
import { withChatTemplate } from '../npm/helpers/models/chat_template.mjs';
import { serveHub } from '../npm/helpers/servers/hub_server.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { serve } from './static_server.mjs';

const readme = readFileSync(`${root}README.md`, 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);
const [chat, search, picture] = blocks('js');
const shellCommands = [...readme.matchAll(/^npx (quintet .*)$/gm)].map(([, line]) => line);
const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const run = promisify(execFile);

/** Small models of the same kinds, under the names of the real ones. */
const folderOf = (folder) =>
  Object.fromEntries(readdirSync(root + folder).map((name) => [name, readFileSync(`${root}${folder}/${name}`)]));
const models = {
  'Qwen/Qwen3-0.6B-GGUF': () => ({
    'Qwen3-0.6B-Q8_0.gguf': withChatTemplate(`${root}tests/fixtures/families/qwen2-tied.gguf`),
  }),
  'sentence-transformers/all-MiniLM-L6-v2': () => ({
    'minilm.weights': readFileSync(`${root}models/embedder-int8.weights`),
  }),
  'google/siglip-base-patch16-224': () => folderOf('tests/fixtures/vision/siglip-hf'),
};

let hub;
let project;
beforeAll(async () => {
  project = installInEmptyProject();
  hub = await serveHub();
  for (const [name, files] of Object.entries(models)) hub.add(name, files());
});
afterAll(async () => {
  await hub?.close();
  project?.remove();
});

test('it has at most 120 lines of at most 120 columns', () => {
  const lines = readme.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test('it has no other examples', () => {
  expect([blocks('js').length, blocks('sh').length, blocks('html').length, shellCommands.length]).toEqual([3, 3, 1, 3]);
});

const answered = /\S/;
const found = /^tides The moon pulls the sea, which makes tides\.\n$/;
const seen = /^Egyptian cat 0\.9\d\n$/;

describe.each([20, 24])('in Node %i', (major) => {
  test.each([
    ['chats', chat, answered],
    ['finds the right text', search, found],
    ['knows a cat', picture, seen],
  ])('the example %s', async (_, example, expected) => {
    expect(await outputInNode(major, example)).toMatch(expected);
  });
});

test('the examples run in Chromium, built by Vite', async () => {
  const atHub = (code) => replaced(code, 'cache: true', `cache: true, hub: { endpoint: '${hub.endpoint}' }`);
  // For pages, the comment next to the line shows the way.
  const pictureInPage = replaced(
    replaced(picture, "import { readFile } from 'node:fs/promises';\n", ''),
    'await readFile(pictures.cat)',
    'Object.assign(new Image(), { src: pictures.cat });\nawait picture.decode()',
  );
  expect(await consoleInPage(atHub(chat))).toMatch(answered);
  expect(await consoleInPage(atHub(search))).toMatch(found);
  expect(await consoleInPage(pictureInPage)).toMatch(seen);
});

describe('in a shell', () => {
  beforeAll(() => {
    const page = '<!doctype html><title>Bread</title><main><h1>Bread</h1><p>Yeast makes bread rise.</p></main>';
    mkdirSync(join(project.folder, 'dist'), { recursive: true });
    writeFileSync(join(project.folder, 'dist/bread.html'), page);
    cpSync(`${root}tests/fixtures/cifar10/drawings`, join(project.folder, 'holiday'), { recursive: true });
  });

  test.each(shellCommands)('%s', async (command) => {
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word).slice(1);
    const { stdout, stderr } = await inProject(process.execPath, ['node_modules/quintet/dist/cli.js', ...args]);
    expect(stdout + stderr).not.toBe('');
  });

  test('the commands wrote their files', () => {
    const script = /src="\/(.*?)"/.exec(blocks('html')[0])[1];
    const files = [`dist/${script}`, 'dist/search/quintet-site.json', 'holiday.qix'];
    for (const file of files) expect(existsSync(join(project.folder, file))).toBe(true);
  });
});

function replaced(code, part, by) {
  expect(code.split(part).length).toBe(2);
  return code.replace(part, by);
}

const inProject = (program, args) =>
  run(program, args, {
    cwd: project.folder,
    env: { ...process.env, HF_ENDPOINT: hub.endpoint, HF_HOME: join(project.folder, 'hub') },
  });

async function outputInNode(major, example) {
  writeFileSync(join(project.folder, 'example.mjs'), example);
  return (await inProject(nodePath(major), ['example.mjs'])).stdout;
}

/** The text of a page with this script and what it has written to the console, once the script has ended. */
async function consoleInPage(script) {
  const page = '<!doctype html><title>quintet</title><body><script type="module" src="./main.js"></script>';
  writeFileSync(join(project.folder, 'index.html'), page);
  writeFileSync(join(project.folder, 'main.js'), `${script}\nconsole.log('the end');\n`);
  await inProject(process.execPath, [`${root}node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'error']);
  return outputOfPage(join(project.folder, 'dist'));
}

async function lineOf(message) {
  const values = await Promise.all(message.args().map((arg) => arg.jsonValue()));
  return `${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')}\n`;
}

async function outputOfPage(folder) {
  const server = await serve(folder, { hosts: [hub.url, hub.storeUrl] });
  const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const lines = [];
    const ended = new Promise((resolve, reject) => {
      page.on('console', (message) => {
        if (message.text() === 'the end') resolve();
        else if (message.type() === 'log') lines.push(lineOf(message)); // others: no icon
      });
      page.on('pageerror', reject);
    });
    await page.goto(`${server.url}index.html`);
    await ended;
    return [await page.evaluate(() => document.body.textContent.trimEnd()), ...(await Promise.all(lines))].join('');
  } finally {
    await browser.close();
    await server.close();
  }
}
