// The contract of search in a pipe: what becomes of bad lines of a corpus, and indexes that are built without a query.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { SearchIndex } from 'quintet';
import { expectRefusal, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';
import { jsonLine, model, oneLiners } from './golden_texts.mjs';

const scratch = scratchFolder();
const search = (args, options) => quintet(['search', '--model', model, ...args], options);
const [fox, browser] = oneLiners;

const mixed = scratch('mixed.jsonl');
writeFileSync(
  mixed,
  [
    jsonLine({ id: 'fox', text: fox.text }),
    '{"text": \n',
    '\n',
    jsonLine({ id: 'empty' }),
    jsonLine({ id: 'web', text: browser.text }),
  ].join(''),
);
const missing = 'quintet: 2 of 4 lines are not in the index\n';

/** Metadata of a saved index. */
function metadataOf(file) {
  const bytes = readFileSync(file);
  return JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0)))).__metadata__;
}

test('bad lines are left out and reported, the search is answered, and the exit status is 1', async () => {
  const { status, stdout, stderr } = await search(['--corpus', mixed, '-k', '9', '--', fox.text]);
  expect(stdout).toMatch(/^\S+ {2}fox\n[^]+ {2}web\n/);
  expect(stderr).toMatch(
    /^quintet: jsonl: line 2 is not JSON \(at byte \d+\)\nquintet: jsonl: line 4 has no "text" \(at byte \d+\)\nindexed 2 passages/,
  );
  expect(stderr.endsWith(missing)).toBe(true);
  expect(status).toBe(1);
});

test('with --json they are reported as JSON lines', async () => {
  const { status, stdout, stderr } = await search(['--corpus', mixed, '--json', '--', fox.text]);
  expect(jsonLines(stdout)[0].hits.map(({ id }) => id)).toEqual(['fox', 'web']);
  expect(
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {
      line: 2,
      error: { code: 'INPUT', reason: 'malformed', message: 'line 2 is not JSON', offset: expect.any(Number) },
    },
    { line: 4, id: 'empty', error: { message: 'line 4 has no "text"' } },
  ]);
  expect(status).toBe(1);
});

test('a line that the model rejects is a bad line', async () => {
  const corpus = scratch('long.txt');
  writeFileSync(corpus, `red fox\n${'one two three '.repeat(20)}\n`);
  const { status, stderr } = await search(['--corpus', corpus, '--truncate', 'error', '--max-length', '32', 'fox']);
  expect(stderr).toMatch(/quintet: line 2 has \d+ tokens, 32 are allowed \(at byte 8\)/);
  expect(status).toBe(1);
});

test('a corpus of bad lines alone has no passages', async () => {
  const corpus = scratch('bad.jsonl');
  writeFileSync(corpus, '{"text": \n');
  const { status, stderr } = await search(['--corpus', corpus, 'x']);
  expect(stderr).toMatch(/line 1 is not JSON[^]+no passages/);
  expect(status).toBe(2);
});

test('ids and texts are in the given fields; hits keep their own fields', async () => {
  const corpus = scratch('fields.jsonl');
  writeFileSync(corpus, jsonLine({ doc: 'f', body: fox.text, id: 'other', text: 'other', score: 7, source: 'here' }));
  const args = ['--corpus', corpus, '--id-field', 'doc', '--text-field', 'body'];
  const [{ hits }] = await quintetJson(['search', '--model', model, ...args, '--', fox.text]);
  expect(hits).toEqual([{ id: 'f', score: expect.any(Number), text: fox.text, source: 'here' }]);
  expect(hits[0].score).toBeGreaterThan(0.98);
});

describe('an index', () => {
  const index = scratch('mixed.safetensors');
  const build = (...args) => search(['--corpus', mixed, '--index', index, ...args]);

  test('is built without a query, in a pipe too, and reports what it was made from', async () => {
    const built = await search(['--corpus', '-', '--index', index], { input: readFileSync(mixed) });
    expect(built).toMatchObject({ status: 1, stdout: '' });
    expect((await SearchIndex.load(readFileSync(index))).size).toBe(2);
    expect(metadataOf(index)).toMatchObject({ 'search.settings': '{"lines":"jsonl"}', 'search.badLines': '2' });
  });

  test('that is reused still reports the number of missing lines', async () => {
    const { mtimeMs } = statSync(index);
    expect(await build()).toMatchObject({ status: 1, stdout: '', stderr: missing });
    const answered = await build('--json', '--', fox.text);
    expect(answered).toMatchObject({ status: 1, stderr: missing });
    expect(jsonLines(answered.stdout)[0].hits[0].id).toBe('fox');
    expect(statSync(index).mtimeMs).toBe(mtimeMs);
  });

  test('of other fields is rebuilt', async () => {
    expect((await build('--id-field', 'id')).stderr).toMatch(/other options; rebuilding it/);
    expect(JSON.parse(metadataOf(index)['search.settings'])).toEqual({ lines: 'jsonl', idField: 'id' });
    expect((await build('--text-field', 'title')).stderr).toMatch(/no "title"[^]+no passages/);
  });

  test('of good lines has no count of bad ones', async () => {
    const corpus = scratch('good.txt');
    const file = scratch('good.safetensors');
    writeFileSync(corpus, `${fox.text}\n`);
    expect(await search(['--corpus', corpus, '--index', file])).toMatchObject({ status: 0, stdout: '' });
    expect(metadataOf(file)).not.toHaveProperty(['search.badLines']);
    expect(await search(['--corpus', corpus, '--index', file])).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  test('that is not named needs a query', async () => {
    expectRefusal(await search(['--corpus', mixed]), /QUERY is missing/);
  });
});
