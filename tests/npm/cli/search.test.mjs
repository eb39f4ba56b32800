import { appendFileSync, cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNpy, row } from '../helpers/npy_reader.mjs';
import { expectRefusal, fixture, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const model = fixture('embd/f32.weights');
const tokens = JSON.parse(readFileSync(fixture('embd/tokens.json')));
const expected = readNpy(fixture('embd/f32.embeddings.npy'));
/** One step of int8 storage in each of the 32 products. */
const INT8_TOLERANCE = 0.02;

const texts = tokens.flatMap(({ text }, index) =>
  /[\n\r\u2028\u0000]/.test(text) || text.trim() === '' ? [] : [{ text, vector: row(expected, index) }],
);
const corpus = scratch('corpus.txt');
writeFileSync(corpus, texts.map(({ text }) => `${text}\n`).join('\n'));

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const search = (...args) => quintetJson(['search', '--model', model, ...args]);

test('ranks all lines by the cosine of their vectors', async () => {
  const query = texts[2];
  const [{ query: echoed, hits }] = await search('--corpus', corpus, '-k', String(texts.length), '--', query.text);
  expect(echoed).toBe(query.text);
  expect(hits).toHaveLength(texts.length);
  for (const { text, score } of hits) {
    const { vector } = texts.find((one) => one.text === text);
    expect(Math.abs(score - dot(vector, query.vector))).toBeLessThan(INT8_TOLERANCE);
  }
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  expect(hits[0].text).toBe(query.text);
});

test("a plain line's id is its number, blank lines counted", async () => {
  const [{ hits }] = await search('--corpus', corpus, '-k', '1', '--', texts[3].text);
  expect(hits[0].id).toBe(String(1 + 2 * 3));
});

test('JSON lines keep id, title and their other fields', async () => {
  const file = scratch('corpus.jsonl');
  const lines = texts.map(({ text }, i) => ({ id: `p${i}`, title: `Title ${i}`, text, source: 'here', score: 'mine' }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const [{ hits }] = await search('--corpus', file, '-k', '1', '--', texts[4].text);
  expect(hits).toMatchObject([{ id: 'p4', title: 'Title 4', text: texts[4].text, source: 'here' }]);
  expect(hits[0].score).toBeGreaterThan(0.98);
});

test('prints score, id and text for people', async () => {
  const { stdout } = await quintet(['search', '--model', model, '--corpus', corpus, '-k', '2', '--', texts[0].text]);
  expect(stdout).toMatch(/^(0\.9[89]|1\.0)\d+ {2}1\n/);
  expect(stdout).toContain(texts[0].text);
});

test('reads queries and corpora from stdin', async () => {
  const { stdout } = await quintet(['search', '--model', model, '--corpus', corpus, '-k', '1', '--json', '-'], {
    input: `${texts[0].text}\n${texts[1].text}\n`,
  });
  expect(jsonLines(stdout).map(({ hits }) => hits[0].text)).toEqual([texts[0].text, texts[1].text]);
  const [{ hits }] = await quintetJson(['search', '--model', model, '--corpus', '-', '-k', '1', '--', texts[1].text], {
    input: readFileSync(corpus),
  });
  expect(hits[0].text).toBe(texts[1].text);
});

describe('--mode', () => {
  const file = scratch('mode.txt');
  const index = scratch('mode.index');
  const lines = ['a red apple', 'green apples and pears', 'the tart apple, an apple pie', 'nothing else'];
  const ids = (hits) => hits.map(({ id }) => id);
  const find = async (mode, query, ...more) =>
    (await search('--corpus', file, '--mode', mode, ...more, '--', query))[0].hits;
  beforeAll(() => writeFileSync(file, lines.join('\n')));

  test('keyword ranks the lines that have words of the query by BM25', async () => {
    const hits = await find('keyword', 'apple');
    // There are 4 lines with 3.75 words on average; 2 have the word: once among 3 words, twice among 6.
    const score = (count, length) =>
      (Math.log(1 + 2.5 / 2.5) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / 3.75));
    expect(ids(hits)).toEqual(['3', '1']);
    expect(hits[0].score).toBeCloseTo(score(2, 6), 12);
    expect(hits[1].score).toBeCloseTo(score(1, 3), 12);
    expect(hits[0].text).toBe(lines[2]);
    expect(await find('keyword', 'unknown')).toEqual([]);
  });

  test('hybrid sums the reciprocal ranks of both', async () => {
    const ranks = [ids(await find('vector', 'apple')), ids(await find('keyword', 'apple'))];
    const hits = await find('hybrid', 'apple');
    expect(hits).toHaveLength(4);
    for (const { id, score } of hits) {
      const sum = ranks
        .filter((order) => order.includes(id))
        .reduce((total, order) => total + 1 / (61 + order.indexOf(id)), 0);
      expect(score).toBeCloseTo(sum, 12);
    }
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  });

  test('an index without words is rebuilt with them, and then serves every mode', async () => {
    const run = (mode) =>
      quintet(['search', '--model', model, '--corpus', file, '--index', index, '--mode', mode, '--json', 'apple']);
    expect((await run('vector')).stderr).toMatch(/saved/);
    expect((await run('hybrid')).stderr).toMatch(/it has no words; rebuilding it/);
    for (const mode of ['hybrid', 'vector', 'keyword']) {
      const { stderr, stdout } = await run(mode);
      expect(stderr).toBe('');
      expect(jsonLines(stdout)[0].hits).toEqual(await find(mode, 'apple'));
    }
  });

  test('another one is rejected', async () => {
    expectRefusal(
      await quintet(['search', '--model', model, '--corpus', file, '--mode', 'fuzzy', 'x']),
      /--mode takes vector, keyword, hybrid/,
    );
  });
});

describe('--index', () => {
  const index = scratch('index.safetensors');
  const run = (...args) =>
    quintet([
      'search',
      '--model',
      model,
      '--corpus',
      corpus,
      '--index',
      index,
      '-k',
      '3',
      '--json',
      ...args,
      '--',
      texts[2].text,
    ]);

  test('is saved, reused, and rebuilt when something has changed', async () => {
    const first = await run();
    expect(first.stderr).toMatch(/indexed \d+ passages/);
    const written = statSync(index).mtimeMs;

    const second = await run();
    expect(second).toMatchObject({ status: 0, stdout: first.stdout, stderr: '' });
    expect(statSync(index).mtimeMs).toBe(written);

    const otherOptions = await run('--pooling', 'cls');
    expect(otherOptions.stderr).toMatch(/other options/);
    expect(otherOptions.stdout).not.toBe(first.stdout);

    const otherModel = await quintet([
      'search',
      '--model',
      fixture('embd/int8-row.weights'),
      '--corpus',
      corpus,
      '--index',
      index,
      '--pooling',
      'cls',
      'x',
    ]);
    expect(otherModel.stderr).toMatch(/another model/);

    await run();
    appendFileSync(corpus, '\na line more\n');
    const otherCorpus = await run();
    expect(otherCorpus.stderr).toMatch(/corpus has changed[^]*indexed \d+ passages/);
    expect((await run()).stderr).toBe('');
  });

  test('of a model in a folder depends on all its files', async () => {
    const folder = scratch('model');
    const [saved, few] = [scratch('folder.index'), scratch('few.txt')];
    cpSync(fixture('encoders/bert-cls-folder'), folder, { recursive: true });
    writeFileSync(few, 'a\nthe other\n');
    const run = () => quintet(['search', '--model', folder, '--corpus', few, '--index', saved, 'a']);
    expect(await run()).toMatchObject({ status: 0 });
    expect(await run()).toMatchObject({ status: 0, stderr: '' });
    writeFileSync(join(folder, 'tokenizer_config.json'), '{"do_lower_case":false}');
    expect((await run()).stderr).toMatch(/another model/);
  });

  test('is a safetensors file', () => {
    const bytes = readFileSync(index);
    const length = Number(bytes.readBigUInt64LE(0));
    const { __metadata__, ...tensors } = JSON.parse(bytes.subarray(8, 8 + length));
    expect(length % 8).toBe(0);
    expect(Object.values(__metadata__).every((value) => typeof value === 'string')).toBe(true);
    const ends = Object.values(tensors).map(({ data_offsets: [, end] }) => end);
    expect(Math.max(...ends)).toBe(bytes.length - 8 - length);
  });

  test('of another kind is rejected and left alone', async () => {
    writeFileSync(scratch('other'), 'not an index');
    expectRefusal(
      await quintet(['search', '--model', model, '--corpus', corpus, '--index', scratch('other'), 'x']),
      /not a saved index/,
    );
    expect(readFileSync(scratch('other'), 'utf8')).toBe('not an index');
  });
});

test.each([
  ['an empty corpus', '', /no passages/],
  ['a corpus of blank lines', '\n  \n', /no passages/],
])('%s is rejected', async (_, content, pattern) => {
  writeFileSync(scratch('bad'), content);
  expectRefusal(await quintet(['search', '--model', model, '--corpus', scratch('bad'), 'x']), pattern);
});

test('a missing corpus is named', async () => {
  expectRefusal(await quintet(['search', '--model', model, '--corpus', scratch('none'), 'x']), /none/);
});
