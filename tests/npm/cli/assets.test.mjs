// quintet assets: what a page needs in addition to its scripts. The copies are used in tests/package/bundlers.test.mjs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expectRefusal, quintet, quintetJson, root, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const list = 'quintet-assets.json';
const filesIn = (folder) =>
  readdirSync(scratch(folder))
    .filter((name) => name !== list)
    .sort();
const contentsOf = (folder) =>
  Object.fromEntries(
    readdirSync(scratch(folder)).map((name) => [name, readFileSync(scratch(`${folder}/${name}`), 'latin1')]),
  );
const chunk = /^browser-[\w-]+\.js$/;

test.each([
  [
    'embedder',
    ['compute_thread.js', 'embedder_worker.js', 'quintet-embedder-baseline.wasm', 'quintet-embedder-relaxed.wasm'],
  ],
  ['files', ['files_worker.js', 'quintet-files.wasm']],
  ['tokenizer,grammar', ['quintet-grammar.wasm', 'quintet-tokenizer.wasm']],
  ['page,tokenizer', ['compute_thread.js', 'quintet-tokenizer.wasm', 'quintet.js', 'safetensors.js']],
])('--for %s copies the files it needs, and no others', async (uses, expected) => {
  const [{ dir, files, removed }] = await quintetJson(['assets', scratch(uses), '--for', uses]);
  expect([dir, removed]).toEqual([scratch(uses), []]);
  const names = filesIn(uses);
  expect(names.filter((name) => !chunk.test(name))).toEqual(expected);
  expect(names.some((name) => chunk.test(name))).toBe(uses !== 'tokenizer,grammar');
  expect(files.map(({ name }) => name)).toEqual(names);
  for (const { name, bytes, status } of files) {
    const copy = readFileSync(scratch(`${uses}/${name}`));
    expect([
      name,
      bytes,
      status,
      copy.equals(readFileSync(`${root}dist/${name === 'quintet.js' ? 'index.js' : name}`)),
    ]).toEqual([name, copy.length, 'copied', true]);
  }
});

test('run again, it copies changed files and removes those no longer needed', async () => {
  await quintet(['assets', scratch('again'), '--for', 'files,tokenizer']);
  rmSync(scratch('again/files_worker.js'));
  writeFileSync(scratch('again/app.js'), 'mine');
  const [{ files, removed }] = await quintetJson(['assets', scratch('again'), '--for', 'files']);
  expect(files.filter(({ status }) => status === 'copied').map(({ name }) => name)).toEqual(['files_worker.js']);
  expect(removed).toEqual(['quintet-tokenizer.wasm']);
  expect(filesIn('again')).toEqual([...files.map(({ name }) => name), 'app.js'].sort());
});

test.each([
  [
    'is not its own',
    () => writeFileSync(scratch('other/quintet.js'), 'mine'),
    /files of the same name .*: quintet\.js;/,
  ],
  ['was changed', () => writeFileSync(scratch('other/quintet-tokenizer.wasm'), 'changed'), /quintet-tokenizer\.wasm/],
  ['is no list', () => writeFileSync(scratch(`other/${list}`), '{'), /quintet-assets\.json is not a list of assets/],
])('a file that %s is an error, and nothing changes', async (_, spoil, message) => {
  rmSync(scratch('other'), { recursive: true, force: true });
  mkdirSync(scratch('other'));
  await quintet(['assets', scratch('other'), '--for', 'tokenizer']);
  spoil();
  const before = contentsOf('other');
  expectRefusal(await quintet(['assets', scratch('other'), '--for', 'page,files,tokenizer']), message);
  expect(contentsOf('other')).toEqual(before);
});

test('explains how to build the page, unless --quiet is given', async () => {
  mkdirSync(scratch('site'));
  const { status, stdout, stderr } = await quintet(['assets', 'public', '--for', 'tokenizer'], {
    cwd: scratch('site'),
  });
  // A page's own script may be called index.js, and the folder that it is written to may have any name.
  writeFileSync(scratch('site/index.js'), 'mine');
  const nested = await quintet(['assets', "web/the page's"], { cwd: scratch('site') });
  for (const part of [`--outdir="web/the page's"`, "dir: 'web/the page\\'s'", `"./the%20page's/quintet.js"`])
    expect(nested.stderr).toContain(part);
  expect(await quintet(['assets', '.'], { cwd: scratch('site') })).toMatchObject({ status: 0 });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^public: 1 file, \d.* 1 copied\n$/) });
  for (const part of ['--outdir=public', "dir: 'public'", 'add page to --for']) expect(stderr).toContain(part);
  expect(await quintet(['assets', 'public', '--quiet'], { cwd: scratch('site') })).toMatchObject({ stderr: '' });
});

test('an unknown use is rejected', async () => {
  expectRefusal(
    await quintet(['assets', scratch('x'), '--for', 'embedder,search']),
    /--for takes embedder, .*, not 'search'/,
  );
  expectRefusal(await quintet(['assets']), /DIR is missing/);
});
