// The plain page of docs/getting-started.md, made by the commands that stand above it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../browser/browsers.mjs';
import { installInEmptyProject, root } from './packed.mjs';
import { serve } from './static_server.mjs';

const guide = readFileSync(`${root}docs/getting-started.md`, 'utf8');
const section = guide.split(/^## /m).find((text) => text.startsWith('A plain page'));
const [, commands] = /^```sh\n([^]*?)^```$/m.exec(section);
const [, page] = /^```html\n([^]*?)^```$/m.exec(section);

let project;
let server;
let browser;
beforeAll(async () => {
  project = installInEmptyProject();
  const folder = join(project.folder, 'public');
  mkdirSync(folder);
  for (const command of commands.trim().split('\n')) {
    const [program, ...args] = command.replace(/^npx quintet/, 'node node_modules/quintet/dist/cli.js').split(' ');
    execFileSync(program, args, { cwd: project.folder, stdio: 'pipe' });
  }
  // The server of the tests allows no script within a page.
  const script = /<script type="module">\n([^]*?)<\/script>/;
  writeFileSync(join(folder, 'main.js'), script.exec(page)[1]);
  writeFileSync(join(folder, 'index.html'), page.replace(script, '<script type="module" src="./main.js"></script>'));
  server = await serve(folder);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  project?.remove();
});

test('a plain page tells a story', async () => {
  const tab = await browser.newPage();
  await tab.goto(`${server.url}index.html`);
  await tab.waitForFunction(() => document.querySelector('output').textContent.length > 200);
  // The page samples without a seed: any words of English, in any punctuation.
  const story = await tab.$eval('output', (output) => output.textContent);
  expect(story).toMatch(/^, /);
  expect(story.match(/\b[a-z]{2,}\b/gi).length).toBeGreaterThan(20);
});
