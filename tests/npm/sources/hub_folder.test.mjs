// The cache folder of the Hub, shared with Python in both directions: compared with one that is made as huggingface_hub
// makes it (hub_folder.mjs).
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert, inspect, TextGenerator } from 'quintet';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { contentsOf, expectedContents, folderOf, makeAsPythonDoes } from '../helpers/hub_folder.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { folderCase, llamaFolder, shards } from '../helpers/models/llama_folder.mjs';
import { gitOid, serveHub, sha256 } from '../helpers/servers/hub_server.mjs';
import { collect } from '../helpers/streams.mjs';

const { ids, rows, tolerance } = folderCase;
const id = 'zoo/decoder';
let server;
let files;
let commit;
let home;
let cache;

beforeAll(async () => {
  server = await serveHub();
  files = await llamaFolder();
  files['config.json'] = Buffer.from(files['config.json']);
  commit = server.add(id, { ...files, 'README.md': Buffer.from('# A model\n') });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.forget();
  home = await mkdtemp(join(tmpdir(), 'quintet-hub-'));
  cache = join(home, 'hub');
  Object.assign(process.env, { HF_HOME: home, HF_ENDPOINT: server.endpoint });
});
afterEach(async () => {
  for (const name of Object.keys(process.env)) if (/^HF_|^TRANSFORMERS_/.test(name)) delete process.env[name];
  await rm(home, { recursive: true });
});

async function expectModel(name = `hf:${id}`, options = {}) {
  const generator = await TextGenerator.load(name, options);
  expect(distance(await generator.logits(ids), rows.at(-1))).toBeLessThanOrEqual(tolerance);
  generator.close();
  return generator.info.runtime.fallbacks
    .filter(({ code }) => code === 'kept_copy' || code === 'not_kept')
    .map(({ message }) => message);
}

const tree = () => `${folderOf(id)}/trees/${commit}.json`;
const tag = 'CACHEDIR.TAG';

describe('files that quintet writes', () => {
  test.each([
    ['with links', {}],
    ['with copies', { links: false }],
  ])('%s is what Python reads', async (_, layout) => {
    if (layout.links === false) process.env.HF_HUB_DISABLE_SYMLINKS = '1';
    await expectModel();
    const { [tree()]: _tree, [tag]: signature, ...others } = contentsOf(cache);
    expect(others).toEqual(expectedContents(id, commit, files, layout));
    expect(signature).toMatch(/^Signature: 8a477f597d28d172789f06886806bc55\n/);
  });

  test('the tree has the format of huggingface_hub', async () => {
    await expectModel();
    const written = JSON.parse(readFileSync(join(cache, tree()), 'utf8'));
    expect(written.format_version).toBe(1);
    expect(Object.keys(written.files)).toEqual([...Object.keys(files), 'README.md'].sort());
    expect(written.files['config.json']).toEqual({
      size: files['config.json'].length,
      blob_id: gitOid(files['config.json']),
    });
    const { lfs_sha256, lfs_size, size, blob_id } = written.files[shards[0]];
    expect([lfs_sha256, lfs_size, size]).toEqual([
      sha256(files[shards[0]]),
      files[shards[0]].length,
      files[shards[0]].length,
    ]);
    expect(blob_id).toMatch(/^[0-9a-f]{40}$/);
  });

  test.each([
    ['HF_HUB_CACHE', () => ({ HF_HUB_CACHE: join(home, 'elsewhere') }), 'elsewhere'],
    ['HF_HUB_CACHE with a variable', () => ({ HF_HUB_CACHE: '$HF_HOME/elsewhere' }), 'elsewhere'],
    ['XDG_CACHE_HOME', () => ({ HF_HOME: '', XDG_CACHE_HOME: home }), 'huggingface/hub'],
  ])('where %s says', async (_, variables, folder) => {
    const before = process.env.XDG_CACHE_HOME;
    Object.assign(process.env, variables());
    await expectModel();
    expect(await readdir(join(home, folder))).toContain(folderOf(id));
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });

  test('convert keeps what it has downloaded, inspect does not', async () => {
    server.add('zoo/one', { 'model.amb': fixtureFile(folderCase.path) });
    await inspect('hf:zoo/one');
    expect(contentsOf(home)).toEqual({});
    await collect(convert('hf:zoo/one', { to: 'amb' }));
    expect(Object.keys(contentsOf(cache)).some((path) => path.endsWith('/model.amb'))).toBe(true);
    server.forget();
    await inspect('hf:zoo/one');
    expect(server.storeRequests).toHaveLength(0);
  });
});

describe('files that Python has written', () => {
  test.each([
    ['links', {}],
    ['copies', { links: false }],
  ])('%s are used, and only the commit is asked for', async (_, layout) => {
    makeAsPythonDoes(cache, id, commit, files, layout);
    expect(await expectModel()).toEqual([]);
    expect(server.requests.map(({ path }) => path)).toEqual([`/api/models/${id}/revision/main?blobs=true`]);
    const { [tree()]: _tree, ...others } = contentsOf(cache);
    const before = expectedContents(id, commit, files, layout);
    expect(others).toMatchObject(before);
    // Then a smaller request does.
    server.forget();
    await expectModel();
    expect(server.requests.map(({ path }) => path)).toEqual([`/api/models/${id}/revision/main?expand=sha`]);
  });

  test('a complete commit needs no request', async () => {
    await expectModel();
    server.forget();
    await expectModel(`hf:${id}@${commit}`);
    expect(server.requests).toHaveLength(0);
  });

  test('blobs of another commit are linked, not downloaded', async () => {
    makeAsPythonDoes(cache, id, '1'.repeat(40), files);
    await expectModel();
    expect(server.storeRequests).toHaveLength(0);
    expect(contentsOf(cache)).toMatchObject(expectedContents(id, commit, files));
  });

  test('half a file is not taken for a complete one', async () => {
    makeAsPythonDoes(cache, id, commit, files);
    await writeFile(join(cache, folderOf(id), 'blobs', sha256(files[shards[0]])), files[shards[0]].subarray(0, 100));
    await expectModel();
    expect(server.storeRequests).toHaveLength(1);
    expect(contentsOf(cache)).toMatchObject(expectedContents(id, commit, files));
  });

  test('a dangling link is replaced', async () => {
    makeAsPythonDoes(cache, id, commit, files);
    await unlink(join(cache, folderOf(id), 'blobs', sha256(files[shards[0]])));
    await expectModel();
    expect(contentsOf(cache)).toMatchObject(expectedContents(id, commit, files));
  });

  test('an invalid tree is ignored', async () => {
    await expectModel();
    await writeFile(join(cache, tree()), '{"format_version":1,"files":{"config.json":{}}}');
    await expectModel();
    await writeFile(join(cache, tree()), '{');
    await expectModel();
  });

  test('a folder without permission to write', async () => {
    makeAsPythonDoes(cache, id, '1'.repeat(40), files);
    // Links cannot be made where a file stands for the folder of snapshots, whoever runs the test.
    await rm(join(cache, folderOf(id), 'snapshots'), { recursive: true });
    await writeFile(join(cache, folderOf(id), 'snapshots'), '');
    await chmod(join(cache, folderOf(id)), 0o555);
    await expectModel();
    expect(server.storeRequests).toHaveLength(0);
    await chmod(join(cache, folderOf(id)), 0o755);
  });
});

describe('offline', () => {
  test.each([
    ['the option', { hub: { offline: true } }, {}],
    ['HF_HUB_OFFLINE', {}, { HF_HUB_OFFLINE: '1' }],
    ['TRANSFORMERS_OFFLINE', {}, { TRANSFORMERS_OFFLINE: 'yes' }],
  ])("%s: Python's downloads are used, without a request", async (_, options, variables) => {
    makeAsPythonDoes(cache, id, commit, files);
    Object.assign(process.env, variables);
    await expectModel(`hf:${id}`, options);
    expect(server.requests).toHaveLength(0);
  });

  test('missing files are errors, without a request', async () => {
    const hub = { offline: true };
    expect(await failureOf(TextGenerator.load(`hf:${id}`, { hub }))).toMatchObject({ code: 'IO', reason: 'offline' });
    await expectModel();
    server.forget();
    await rm(join(cache, folderOf(id), 'snapshots', commit, shards[1]));
    await rm(join(cache, folderOf(id), 'blobs', sha256(files[shards[1]])));
    const error = await failureOf(TextGenerator.load(`hf:${id}`, { hub }));
    expect(error).toMatchObject({
      code: 'IO',
      reason: 'offline',
      message: expect.stringContaining(`hf:${id}@main/${shards[1]} is not in the cache`),
    });
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ['the network is gone', { drop: true }],
    ['the server fails', { status: 500 }],
    ['the token has no access any more', { status: 401 }],
  ])('the kept copy is used if %s, and info says so', async (_, plan) => {
    makeAsPythonDoes(cache, id, commit, files);
    server.plans.push({ at: '/api/', ...plan });
    expect(await expectModel()).toEqual([expect.stringContaining(`the stored copy of commit ${commit}`)]);
    expect(server.requests).toHaveLength(1);
  });

  test('not if the repository was deleted', async () => {
    makeAsPythonDoes(cache, id, commit, files);
    server.plans.push({ at: '/api/', status: 404, headers: { 'x-error-code': 'RevisionNotFound' } });
    expect(await failureOf(TextGenerator.load(`hf:${id}`))).toMatchObject({ reason: 'not_found' });
  });
});

test('main has moved: changed files are downloaded, and the old commit stays', async () => {
  const moving = 'zoo/moving';
  const first = server.add(moving, files);
  await expectModel(`hf:${moving}`);
  server.forget();
  const changed = { ...files, 'config.json': Buffer.from(`${files['config.json']} `) };
  const second = server.add(moving, changed);
  await expectModel(`hf:${moving}`);
  expect(server.requests.map(({ path }) => path.replace(second, 'SECOND'))).toEqual([
    `/api/models/${moving}/revision/main?expand=sha`,
    `/api/models/${moving}/revision/main?blobs=true`,
    `/${moving}/resolve/SECOND/config.json`,
  ]);
  const { [`${folderOf(moving)}/refs/main`]: _main, ...before } = expectedContents(moving, first, files);
  expect(contentsOf(cache)).toMatchObject({ ...before, ...expectedContents(moving, second, changed) });
});
