// The examples of README.md do what they show, with the packages as they are published.
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { nodePath } from '../../tools/node_versions.mjs';
import { writeHuggingFaceFolder } from '../npm/helpers/models/hugging_face_folder.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { serve } from './static_server.mjs';

const readme = readFileSync(`${root}README.md`, 'utf8');
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code);
const [search, story, picture, ownModels] = blocks('js');
const shellCommands = [...readme.matchAll(/^npx (quintet .*)$|`npx (quintet [^`]*)`/gm)].map(
  ([, line, inline]) => line ?? inline,
);
const chromium = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const run = promisify(execFile);

let project;
beforeAll(() => {
  project = installInEmptyProject();
});
afterAll(() => project?.remove());

test('it has at most 1,100 words, and no examples but these', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1100);
  expect([blocks('js').length, blocks('sh').length, shellCommands.length]).toEqual([4, 2, 4]);
});

const found = /^0\.\d\d The moon pulls the tides\.\n$/;
const told = /^, [a-zA-Z ,.!?"'\n]{150,}\{[^]*\breason: 'length',[^]*\btokens: 100,/;
const seen = /^Egyptian cat 0\.9\d, tabby, tabby cat 0\.0\d\n$/;

describe.each([20, 24])('in Node %i', (major) => {
  test.each([
    ['finds the right text', search, found],
    ['tells a story', story, told],
    ['knows a cat', picture, seen],
  ])('the example %s', async (_, example, expected) => {
    expect(await outputInNode(major, example)).toMatch(expected);
  });
});

test('a seed gives the same story', async () => {
  const text = async () => (await outputInNode(24, story)).split('{')[0];
  expect(await text()).toBe(await text());
});

// The pages' way is what the comments beside the lines say.
const storyInPage = replaced(story, 'process.stdout.write(text)', 'document.body.append(text)');
const pictureInPage = replaced(
  replaced(picture, "import { readFile } from 'node:fs/promises';\n", ''),
  'await readFile(pictures.cat)',
  'Object.assign(new Image(), { src: pictures.cat });\nawait picture.decode()',
);

test('the examples run in Chromium, built by Vite', async () => {
  expect(await consoleInPage(search)).toMatch(found);
  expect(await consoleInPage(storyInPage)).toMatch(/^, [a-zA-Z ,.!?"'\n]{150,}\{.*"reason":"length","tokens":100,/);
  expect(await consoleInPage(pictureInPage)).toMatch(seen);
});

describe('bring your own model', () => {
  beforeAll(() => {
    const path = (name) => join(project.folder, name);
    // Small models under the names of the big ones: the commands are the same.
    writeHuggingFaceFolder(path('all-MiniLM-L6-v2'));
    copyFileSync(`${root}tests/fixtures/cifar10/resnet20_cifar10.safetensors`, path('resnet18.safetensors'));
    copyFileSync(`${root}tests/fixtures/families/qwen2-tied.gguf`, path('model.gguf'));
    cpSync(`${root}tests/fixtures/cifar10/drawings`, path('pictures'), { recursive: true });
  });

  test.each(shellCommands)('%s', async (command) => {
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word).slice(1);
    const { stdout, stderr } = await inProject(process.execPath, ['node_modules/quintet/dist/cli.js', ...args]);
    expect(stdout + stderr).not.toBe('');
    const out = args.indexOf('--out');
    if (out !== -1) expect(existsSync(join(project.folder, args[out + 1]))).toBe(true);
  });

  test('what the commands made is loaded', async () => {
    const imports = "import { Embedder, ImageClassifier, TextGenerator } from 'quintet';\n";
    const use = 'console.log([embedder, generator, classifier].map(({ info }) => info.format).join());';
    expect(await outputInNode(24, imports + ownModels + use)).toBe('weights,gguf,tinyruntime\n');
  });
});

function replaced(code, part, by) {
  expect(code.split(part).length).toBe(2);
  return code.replace(part, by);
}

const inProject = (program, args) => run(program, args, { cwd: project.folder });

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
  const server = await serve(folder);
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
