// Tokenizers without their models, against the ids of other implementations (tests/fixtures/tokenizers/README.md).
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capabilities, chunkText, Tokenizer } from 'quintet';
import { base, tokens as embedderTexts, pathOf } from '../helpers/embedder_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { liveObjectsOf } from '../helpers/freed_models.mjs';
import { tokenizerCases } from '../helpers/generator_fixtures.mjs';
import { fixtureFile, fixturePath } from '../helpers/model_fixtures.mjs';
import { streamOf } from '../helpers/streams.mjs';

const json = (path) => JSON.parse(readFileSync(fixturePath(path), 'utf8'));

async function withTokenizer(source, job, options) {
  const tokenizer = await Tokenizer.load(source, options);
  try {
    return await job(tokenizer);
  } finally {
    tokenizer.close();
  }
}

afterEach(() => expect(capabilities().memory.liveObjects).toBe(0));

test.each([
  ['a GGUF file', 'tokenizers/phi-3/ggml-vocab-phi-3.gguf', 'phi-3', 60],
  ['tokenizer.model', 'tokenizers/llama2/tokenizer.model', 'llama-spm', 60],
  ['vocab.txt', 'tokenizers/minilm/vocab.txt', 'bert-vocab', 50],
])('%s: ids, and the texts of ids', (_, path, cases, least) =>
  withTokenizer(fixturePath(path), (tokenizer) => {
    let compared = 0;
    for (const { text, ids, special = false, parse = false, decode = false } of json(
      `tokenizers/cases/${cases}.json`,
    )) {
      expect([text, ...tokenizer.encode(text, { addSpecial: special, parseSpecial: parse })]).toEqual([text, ...ids]);
      if (decode) expect(tokenizer.decode(ids)).toBe(text);
      ++compared;
    }
    expect(compared).toBeGreaterThan(least);
  }),
);

test('a model file: the ids of its embedder', () =>
  withTokenizer(pathOf(base), (tokenizer) => {
    expect(embedderTexts.length).toBeGreaterThan(20);
    for (const { text, ids } of embedderTexts) expect([...tokenizer.encode(text)]).toEqual(ids);
  }));

test.each(tokenizerCases.map(({ path, texts }) => [path, texts]))('%s: the ids of its generator', (path, texts) =>
  withTokenizer(fixturePath(path), (tokenizer) => {
    expect(texts.length).toBeGreaterThan(0);
    for (const { text, ids } of texts) expect([...tokenizer.encode(text, { addSpecial: false })]).toEqual(ids);
  }),
);

describe('a Hugging Face folder', () => {
  const qwen = fixturePath('tokenizers/qwen2/tokenizer.json');
  const cases = json('tokenizers/qwen2/cases.json');
  let folder;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quintet-tokenizer-'));
    cpSync(qwen, join(folder, 'tokenizer.json'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['its path', () => folder],
    ['its files', () => ({ 'tokenizer.json': readFileSync(qwen) })],
    ['tokenizer.json alone', () => qwen],
    ['a stream of it', () => streamOf(new Uint8Array(readFileSync(qwen)), 5000)],
  ])('%s, without config.json and weights', (_, source) =>
    withTokenizer(source(), (tokenizer) => {
      expect(cases.length).toBeGreaterThan(50);
      for (const { text, ids, parse = false } of cases) {
        expect([...tokenizer.encode(text, { addSpecial: false, parseSpecial: parse })]).toEqual(ids);
      }
    }),
  );

  test('a folder without a tokenizer says what it lacks', async () => {
    const error = await failureOf(Tokenizer.load(fixturePath('tokenizers/chat')));
    expect(error).toMatchObject({
      code: 'INPUT',
      reason: 'missing',
      message: expect.stringMatching(/tokenizer\.json/),
    });
  });
});

test('facts about the vocabulary', () =>
  withTokenizer(fixturePath('tokenizers/minilm/vocab.txt'), (tokenizer) => {
    const lines = readFileSync(fixturePath('tokenizers/minilm/vocab.txt'), 'utf8').trimEnd().split('\n');
    expect(tokenizer.type).toBe('WordPiece');
    expect(tokenizer.size).toBe(30522);
    expect(tokenizer.special).toMatchObject({ cls: 101, sep: 102, unk: 100 });
    for (const id of [0, 101, 7592, 30521]) {
      expect(tokenizer.token(id)).toBe(lines[id]);
      expect(tokenizer.id(lines[id])).toBe(id);
    }
    expect(tokenizer.token(30522)).toBe('');
    expect(tokenizer.id('no such token')).toBeUndefined();
    expect(tokenizer.countTokens('hello world')).toBe(4);
    expect(tokenizer.countTokens('hello world', { addSpecial: false })).toBe(2);
    expect(tokenizer.countTokens('[MASK]', { parseSpecial: true })).toBe(3);
  }));

// transformers' BertTokenizerFast: [CLS] a [SEP] b [SEP], types 0 and 1; 'longest_first' cuts the longer text.
test('pairs', () =>
  withTokenizer(fixturePath('tokenizers/minilm/vocab.txt'), (tokenizer) => {
    const pair = tokenizer.encodePair('hello world', 'hello');
    expect([...pair.ids]).toEqual([101, 7592, 2088, 102, 7592, 102]);
    expect([...pair.types]).toEqual([0, 0, 0, 0, 1, 1]);
    const cut = tokenizer.encodePair('hello world', 'hello', { maxLength: 5 });
    expect([...cut.ids]).toEqual([101, 7592, 102, 7592, 102]);
    expect(() => tokenizer.encodePair('a', 'b', { maxLength: 2 })).toThrow(expect.objectContaining({ code: 'INPUT' }));
  }));

test('special tokens are added, parsed and left out as asked', () =>
  withTokenizer(fixturePath('tokenizers/minilm/vocab.txt'), (tokenizer) => {
    expect([...tokenizer.encode('hello')]).toEqual([101, 7592, 102]);
    expect([...tokenizer.encode('[MASK]', { addSpecial: false, parseSpecial: true })]).toEqual([103]);
    expect([...tokenizer.encode('[MASK]', { addSpecial: false })]).not.toContain(103);
    expect(tokenizer.decode([101, 7592, 102])).toBe('hello');
    expect(tokenizer.decode([101, 7592, 102], { skipSpecial: false })).toBe('[CLS] hello [SEP]');
  }));

test('it counts for chunkText', () =>
  withTokenizer(fixturePath('tokenizers/minilm/vocab.txt'), (tokenizer) => {
    const text = 'The cat sat on the mat. '.repeat(40).trim();
    const countTokens = (part) => tokenizer.countTokens(part);
    const chunks = chunkText(text, { maxTokens: 30, countTokens });
    expect(chunks.length).toBeGreaterThan(8);
    for (const chunk of chunks) expect(countTokens(chunk.text)).toBeLessThanOrEqual(30);
    expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(text);
  }));

test('progress counts the bytes of the module and of the file', async () => {
  const events = [];
  const file = fixtureFile('tokenizers/minilm/vocab.txt');
  await withTokenizer(file, () => {}, { onProgress: (event) => events.push(event) });
  expect([...new Set(events.map(({ stage }) => stage))]).toEqual(['compile', 'download']);
  expect(events.at(-1).loaded).toBe(file.length);
});

test('wrong arguments, and calls after the end', async () => {
  const path = fixturePath('tokenizers/minilm/vocab.txt');
  await withTokenizer(path, (tokenizer) => {
    const refused = (code, reason) => expect.objectContaining({ name: 'QuintetError', code, reason });
    expect(() => tokenizer.encode(7)).toThrow(refused('INPUT', 'wrong_type'));
    expect(() => tokenizer.encode('a', { addBos: true })).toThrow(refused('INPUT', 'unknown_option'));
    expect(() => tokenizer.countTokens('a', { skipSpecial: true })).toThrow(refused('INPUT', 'unknown_option'));
    expect(() => tokenizer.decode('a')).toThrow(refused('INPUT', 'wrong_type'));
    expect(() => tokenizer.decode([-1])).toThrow(refused('INPUT', 'out_of_range'));
    expect(() => tokenizer.decode([99_999])).toThrow(refused('INPUT', 'out_of_range'));
    expect(() => tokenizer.token(1.5)).toThrow(refused('INPUT', 'out_of_range'));
    tokenizer.close();
    tokenizer.close();
    for (const call of [
      () => tokenizer.encode('a'),
      () => tokenizer.decode([1]),
      () => tokenizer.id('a'),
      () => tokenizer.token(1),
    ]) {
      expect(call).toThrow(refused('CLOSED', 'closed'));
    }
  });
  expect(await failureOf(Tokenizer.load(path, { threads: 2 }))).toMatchObject({ code: 'UNSUPPORTED' });
  expect(await failureOf(Tokenizer.load(path, { worker: true }))).toMatchObject({
    code: 'INPUT',
    reason: 'unknown_option',
  });
  expect(await failureOf(Tokenizer.load(path, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'ABORTED' });
});

test('one without references is freed', async () => {
  const path = JSON.stringify(fixturePath('tokenizers/minilm/vocab.txt'));
  const [before, after] = await liveObjectsOf(
    'Tokenizer',
    `let count = (await Tokenizer.load(${path})).countTokens('a');`,
  );
  expect(before).toBe(1);
  expect(after).toBe(0);
});
