// Faults between a page or process and the Hub. No fault leaves anything in the cache folder, and none reveals the
// token.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect as show } from 'node:util';
import { TextGenerator } from 'quintet';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { contentsOf, expectedContents } from '../helpers/hub_folder.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { folderCase } from '../helpers/models/llama_folder.mjs';
import { listen } from '../helpers/servers/http_server.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';

const { ids, rows, tolerance } = folderCase;
const model = fixtureFile(folderCase.path);
const files = { 'model.amb': model };
let server;
let hub;
let home;
let commit;

beforeAll(async () => {
  server = await serveHub();
  commit = server.add('zoo/model', files);
  server.add('zoo/private', files, { private: true });
  server.add('zoo/gated', files, { gated: true });
  server.add('zoo/refused', files, { gated: 'refused' });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.forget();
  home = await mkdtemp(join(tmpdir(), 'quintet-hub-'));
  process.env.HF_HOME = home;
  hub = { endpoint: server.endpoint };
});
afterEach(async () => {
  for (const name of ['HF_HOME', 'HF_TOKEN', 'HF_ENDPOINT', 'HF_HUB_OFFLINE', 'HF_TOKEN_PATH'])
    delete process.env[name];
  await rm(home, { recursive: true });
});

const load = (name = 'hf:zoo/model', options = {}) => TextGenerator.load(name, { hub, ...options });

async function expectModel(loading) {
  const generator = await loading;
  expect(distance(await generator.logits(ids), rows.at(-1))).toBeLessThanOrEqual(tolerance);
  generator.close();
  return aboutTheHub(generator.info.runtime.fallbacks);
}

/** Fallbacks without those of the engine, such as that it has no relaxed SIMD. */
const aboutTheHub = (fallbacks) =>
  fallbacks.filter(({ code }) => code === 'kept_copy' || code === 'not_kept').map(({ message }) => message);

/** The messages of an error and of its causes. */
const told = (error) => `${show(error, { depth: 10 })} ${error.message} ${error.stack} ${JSON.stringify(error)}`;

async function expectFailure(loading, expected, message) {
  const error = await failureOf(loading);
  expect(error).toMatchObject(expected);
  expect(error.message).toMatch(message);
  expect(told(error)).not.toContain(server.token);
  expect(contentsOf(home)).toEqual({});
}

const complete = () =>
  expect(contentsOf(join(home, 'hub'))).toMatchObject(expectedContents('zoo/model', commit, files));

describe('access', () => {
  const noAccess = { code: 'IO', reason: 'no_access' };

  test.each([
    [
      'private',
      'hf:zoo/private',
      /there is no repository zoo\/private, or it is private or gated. If it is, pass hub: \{ token \}.*HF_TOKEN/,
    ],
    [
      'gated',
      'hf:zoo/gated',
      /the repository is gated: ask for access at http.*\/zoo\/gated, then pass hub: \{ token \}/,
    ],
    ['not there', 'hf:zoo/nothing', /there is no repository zoo\/nothing, or it is private/],
  ])('%s, without a token', (_, name, message) => expectFailure(load(name), noAccess, message));

  test('gated, and the account has no access', () =>
    expectFailure(
      load('hf:zoo/refused', { hub: { ...hub, token: server.token } }),
      noAccess,
      /ask for access at http.*\/zoo\/refused, with the account of the token/,
    ));

  test('a wrong token', () =>
    expectFailure(
      load('hf:zoo/private', { hub: { ...hub, token: 'hf_wrong' } }),
      noAccess,
      /the token does not give access/,
    ));

  test.each([
    ['the option', async () => ({ ...hub, token: server.token })],
    ['HF_TOKEN', async () => void (process.env.HF_TOKEN = server.token)],
    ['the file of hf auth login', () => writeFile(join(home, 'token'), `${server.token}\n`)],
  ])('%s is sent to the endpoint, and not to the store of files', async (_, give) => {
    const own = (await give()) ?? hub;
    await expectModel(load('hf:zoo/private', { hub: own }));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${server.token}`,
      `Bearer ${server.token}`,
    ]);
    expect(server.storeRequests).toHaveLength(1);
    expect(server.sawToken(server.storeRequests)).toBe(false);
  });

  test('a worker does not send it to other servers either', async () => {
    await expectModel(load('hf:zoo/gated', { worker: true, hub: { ...hub, token: server.token } }));
    expect(server.sawToken(server.requests)).toBe(true);
    expect(server.sawToken(server.storeRequests)).toBe(false);
  });

  test('a next page on another server is not asked for', async () => {
    Object.assign(server, { blobs: false, pageSize: 1, nextPage: `${server.storeUrl}page` });
    const loading = load('hf:zoo/model', { hub: { ...hub, token: server.token } });
    await expectFailure(loading, { code: 'IO' }, /the next page is on another server/);
    expect(server.storeRequests).toHaveLength(0);
    Object.assign(server, { blobs: true, pageSize: 1000, nextPage: undefined });
  });

  test.each([['hf_two words'], ['hf_line\nend'], [7]])('an invalid token is not shown: %j', async (token) => {
    const error = await failureOf(load('hf:zoo/model', { hub: { ...hub, token } }));
    expect(error).toMatchObject({ code: 'INPUT' });
    expect(error.message).not.toContain(String(token));
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    ['no URL', { endpoint: 'hub' }],
    ['with a password', { endpoint: 'https://user:word@host/' }],
    ['another protocol', { endpoint: 'ftp://host/' }],
    ['an unknown option', { tokens: 'x' }],
    ['no object', 'x'],
  ])('invalid options: %s', async (_, own) => {
    expect(await failureOf(load('hf:zoo/model', { hub: own }))).toMatchObject({ code: 'INPUT' });
  });

  test('HF_ENDPOINT, with a path and a slash at its end', async () => {
    process.env.HF_ENDPOINT = `${server.endpoint}/`;
    await expectModel(TextGenerator.load('hf:zoo/model'));
  });
});

describe('a busy server', () => {
  const soon = { 'retry-after': '0' };

  test.each([
    ['429', [{ at: '/api/', status: 429, headers: soon }]],
    ['429 with the limits of the Hub', [{ at: '/api/', status: 429, headers: { ratelimit: '"api";r=0;t=0' } }]],
    ['503 with a date', [{ at: '/resolve/', status: 503, headers: { 'retry-after': new Date().toUTCString() } }]],
    ['all kinds', [408, 500, 502].map((status) => ({ at: '/resolve/', status, headers: soon }))],
    ['the store', [{ at: 'Signature', status: 503, headers: soon }]],
    ['the connection', [{ at: '/api/', drop: true }]],
  ])('is retried: %s', async (_, plans) => {
    server.plans.push(...plans);
    await expectModel(load());
    expect(server.plans).toHaveLength(0);
    complete();
  });

  test('only a few times', async () => {
    for (let i = 0; i < 9; ++i) server.plans.push({ at: '/api/', status: 503, headers: soon });
    await expectFailure(
      load(),
      { code: 'IO', reason: 'http_status' },
      /^hf:zoo\/model@main: the server failed \(HTTP status 503/,
    );
    expect(server.requests).toHaveLength(4);
  });

  test('not if the server asks for a long pause', async () => {
    server.plans.push({ at: '/api/', status: 429, headers: { 'retry-after': '3600' } });
    await expectFailure(
      load(),
      { code: 'IO', reason: 'http_status' },
      /too many requests; try again in 3600 seconds, or for a higher limit pass hub/,
    );
    expect(server.requests).toHaveLength(1);
  });

  test('an abort while it waits', async () => {
    server.plans.push({ at: '/api/', status: 429, headers: { 'retry-after': '50' } });
    const controller = new AbortController();
    const failure = failureOf(load('hf:zoo/model', { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise(setImmediate);
    controller.abort();
    expect((await failure).code).toBe('ABORTED');
    expect(contentsOf(home)).toEqual({});
  });
});

describe('a broken download', () => {
  const from = () => server.storeRequests.map(({ range }) => range);

  test.each([1, model.length >> 1, model.length - 1])('continues after %d bytes', async (cut) => {
    server.plans.push({ at: 'Signature', cut });
    await expectModel(load());
    expect(from()[0]).toBeUndefined();
    expect(from()[1]).toMatch(/^bytes=\d+-$/);
    expect(Number(/\d+/.exec(from()[1])[0])).toBeLessThanOrEqual(cut);
    complete();
  });

  test('repeatedly', async () => {
    server.plans.push(
      { at: 'Signature', cut: 5000 },
      { at: 'Signature', cut: 1000 },
      { at: 'Signature', status: 503, headers: { 'retry-after': '0' } },
    );
    await expectModel(load());
    complete();
  });

  test.each([
    [
      'another version comes',
      [{ cut: 5000 }, { headers: { etag: '"another"' } }],
      'read_failed',
      /the file has changed/,
    ],
    [
      'other bytes come',
      [{ instead: Buffer.concat([model.subarray(1), Buffer.from('x')]) }],
      'integrity',
      /do not have the SHA-256 that the Hub lists/,
    ],
    [
      'too few bytes come',
      Array(9).fill({ instead: model.subarray(0, 9000) }),
      'integrity',
      /shorter than the Hub lists/,
    ],
    [
      'too many bytes come',
      [{ instead: Buffer.concat([model, model]) }],
      'integrity',
      /more bytes arrived; the Hub lists 80000/,
    ],
    ['the file is gone', [{ cut: 5000 }, { status: 404 }], 'not_found', /no such repository, revision or file/],
    ['it redirects in a circle', [], 'http_status', /more than 5 redirects/],
  ])('%s', async (what, plans, reason, message) => {
    server.plans.push(...plans.map((plan) => ({ at: 'Signature', ...plan })));
    if (plans.length === 0)
      for (let i = 0; i < 9; ++i)
        server.plans.push({ at: '/resolve/', location: `${server.url}zoo/model/resolve/main/model.amb` });
    // Bytes that make no model fail as such if they are read before the size or hash is known to be wrong.
    const error = await failureOf(load());
    if (error.code === 'IO') expect(error).toMatchObject({ reason, message: expect.stringMatching(message) });
    else expect(what).toMatch(/other bytes|few bytes/);
    expect(contentsOf(home)).toEqual({});
  });

  test('an abort', async () => {
    server.plans.push({ at: 'Signature', cut: 9000, hang: true });
    const controller = new AbortController();
    const onProgress = ({ stage, loaded }) => stage === 'download' && loaded > 0 && controller.abort();
    await expectFailure(
      load('hf:zoo/model', { signal: controller.signal, onProgress }),
      { code: 'ABORTED' },
      /aborted/,
    );
  });
});

describe('a faulty server', () => {
  const answering = (body, type = 'application/json') =>
    server.plans.push({ at: '/api/', status: 200, headers: { 'content-type': type }, body });
  const info = (sibling) => JSON.stringify({ sha: commit, siblings: [sibling] });
  const sibling = { rfilename: 'model.amb', size: 5, blobId: 'a'.repeat(40) };

  test.each([
    ['a web page', '<!doctype html><title>Log in</title>', /not an answer of the Hugging Face Hub/],
    ['no commit', '{}', /names no commit/],
    ['a commit that leads elsewhere', '{"sha":"../../etc"}', /names no commit/],
    ['null', 'null', /names no commit/],
  ])('%s', async (_, body, message) => {
    answering(body);
    await expectFailure(load(), { code: 'IO' }, message);
  });

  test.each([
    ['a path that leads elsewhere', { rfilename: '../../model.amb' }],
    ['an absolute path', { rfilename: '/model.amb' }],
    ['a path with backslashes', { rfilename: '..\\model.amb' }],
    ['a negative size', { size: -1 }],
  ])('%s is missing', async (_, other) => {
    answering(info({ ...sibling, ...other }));
    await expectFailure(load(), { code: 'UNSUPPORTED' }, /has nothing that TextGenerator reads/);
  });

  test('a hash that leads elsewhere is not taken', async () => {
    answering(info({ ...sibling, blobId: '../../../../tmp/x' }));
    // The tree is asked instead.
    await expectModel(load());
    complete();
  });
});

describe('a folder that cannot be written', () => {
  test('the model loads, and info says why it is not kept', async () => {
    await mkdir(join(home, 'hub'));
    await writeFile(join(home, 'hub/models--zoo--model'), 'a file where a folder should be');
    const before = contentsOf(home);
    expect(await expectModel(load())).toEqual([
      expect.stringMatching(/hf:zoo\/model@main\/model.amb is not kept in the cache folder of the Hub: .*E[A-Z]+:/),
    ]);
    expect(contentsOf(home)).toEqual(before);
  });

  test('the disk is full', async () => {
    // No file may be larger than 8 blocks: what a write beyond that gets is an error, as on a full disk.
    const script = `import { TextGenerator } from 'quintet';
      const generator = await TextGenerator.load('hf:zoo/model', { threads: 1 });
      console.log(JSON.stringify(generator.info.runtime.fallbacks));`;
    const output = await run(script, 'trap "" XFSZ; ulimit -f 8; exec "$0" "$@"');
    expect(aboutTheHub(JSON.parse(output))).toEqual([
      expect.stringMatching(/is not kept in the cache folder of the Hub: .*E[A-Z]+:/),
    ]);
    expect(contentsOf(home)).toEqual({});
  });
});

test('two processes at once', async () => {
  const script = `import { TextGenerator } from 'quintet';
    console.log(JSON.stringify((await TextGenerator.load('hf:zoo/model', { threads: 1 })).info.runtime.fallbacks));`;
  for (const output of await Promise.all([run(script), run(script)]))
    expect(aboutTheHub(JSON.parse(output))).toEqual([]);
  complete();
});

test('a kill in mid-download leaves nothing that is taken for a complete file, and the next load removes it', async () => {
  server.plans.push({ at: 'Signature', cut: 9000, hang: true });
  const child = start(
    `import { TextGenerator } from 'quintet'; await TextGenerator.load('hf:zoo/model', { threads: 1 });`,
  );
  while (!Object.keys(contentsOf(home)).some((name) => name.endsWith('.incomplete')) || server.plans.length > 0)
    await new Promise(setImmediate);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.on('close', resolve));
  expect(Object.keys(contentsOf(home))).toEqual([expect.stringMatching(/blobs\/.*\.incomplete$/)]);
  await expectModel(load());
  complete();
  expect(Object.keys(contentsOf(home)).filter((name) => name.endsWith('.incomplete'))).toEqual([]);
});

test('without a network there is one error', async () => {
  const gone = await listen(() => {});
  await gone.close();
  await expectFailure(
    load('hf:zoo/model', { hub: { endpoint: gone.url, token: server.token } }),
    { code: 'IO', reason: 'network' },
    /cannot fetch http/,
  );
});

function start(script, shell) {
  const node = [process.execPath, '--input-type=module', '-e', script];
  const [command, ...args] = shell ? ['bash', '-c', shell, ...node] : node;
  const env = { ...process.env, HF_HOME: home, HF_ENDPOINT: server.endpoint };
  return spawn(command, args, { cwd: new URL('../../..', import.meta.url), env, stdio: ['ignore', 'pipe', 'inherit'] });
}

async function run(script, shell) {
  const child = start(script, shell);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  return output;
}
