// Vectors: right in every form of call, and the same bits regardless of what else is computed with them.
import { Embedder } from 'quintet';
import {
  base,
  baseRows,
  bytesOf,
  caseOf,
  cases,
  expectRows,
  pathOf,
  rowsOf,
  texts,
  tokens,
} from '../helpers/embedder_fixtures.mjs';
import { distance, failureOf } from '../helpers/expectations.mjs';

const limit = caseOf('embd-f32').expect.max_length;
const fullLength = ({ ids, token_count: count }) => count ?? ids.length;
const isCut = (token) => token.truncated.length < fullLength(token);

const withVectors = cases.filter(({ expect: { embeddings, tokens: file } }) => embeddings && file);

describe.each(withVectors)('$id', ({ file, expect: expected }) => {
  let embedder;
  beforeAll(async () => {
    const heads = expected.attention_heads;
    embedder = await Embedder.load(pathOf(file), heads ? { attentionHeads: heads } : {});
  });
  afterAll(() => embedder.close());

  test('vectors equal the reference', async () => {
    const rows = rowsOf(expected.embeddings.split('/').pop());
    expect(embedder.dimension).toBe(rows[0].length);
    expect(embedder.maxLength).toBe(expected.max_length);
    expectRows(await embedder.embed(texts), rows.slice(0, texts.length), expected.tolerance.abs);
    for (const [i, ids] of expected.raw_ids.entries()) {
      const vector = await embedder.embedIds(ids);
      expect(distance(vector, rows[texts.length + i])).toBeLessThanOrEqual(expected.tolerance.abs);
    }
  });
});

describe.each([
  ['in this thread', false],
  ['in a worker', true],
])('%s', (_, worker) => {
  let embedder;
  beforeAll(async () => {
    embedder = await Embedder.load(pathOf(base), { worker });
  });
  afterAll(() => embedder.close());

  test('one text, many, all in one array, a stream: the same bits', async () => {
    const rows = await embedder.embed(texts);
    expectRows(rows, baseRows.slice(0, texts.length));
    const { vectors, dimension, tokens: counts, truncated } = await embedder.encode(texts);
    expect(dimension).toBe(embedder.dimension);
    expect([...counts]).toEqual(tokens.map(fullLength));
    expect([...truncated]).toEqual(tokens.map((token) => Number(isCut(token))));
    expect([...vectors]).toEqual(rows.flatMap((row) => [...row]));
    const streamed = [];
    for await (const vector of embedder.embedStream(texts)) streamed.push(vector);
    expect(streamed).toEqual(rows);
    for (const [i, text] of texts.entries()) expect(await embedder.embed(text)).toEqual(rows[i]);
  });

  test('tokens', async () => {
    for (const token of tokens) {
      expect(await embedder.countTokens(token.text)).toBe(fullLength(token));
      const ids = [...(await embedder.tokenize(token.text))];
      if (token.ids) expect(ids).toEqual(token.ids);
    }
    const names = await embedder.tokenTexts([...(await embedder.tokenize('the dog')), 99_999]);
    expect(names).toEqual(['[CLS]', 'the', 'dog', '[SEP]', '']);
  });

  test('texts that are cut are reported, with their original length', async () => {
    const cut = [];
    await embedder.embed(texts, { onTruncate: (...args) => cut.push(args) });
    const expected = tokens.flatMap((token, i) => (isCut(token) ? [[i, fullLength(token)]] : []));
    expect(expected.length).toBeGreaterThan(0);
    expect(cut).toEqual(expected);
  });

  test("truncate: 'error' rejects a long text and names it", async () => {
    const index = tokens.findIndex(isCut);
    const error = await failureOf(() => embedder.embed(texts, { truncate: 'error' }));
    expect(error).toMatchObject({ code: 'INPUT', reason: 'too_long' });
    expect(error.message).toContain(`text ${index} `);
    // It is usable afterwards.
    expectRows(await embedder.embed(texts.slice(0, 2)), baseRows.slice(0, 2));
  });

  test("truncate: 'chunk' averages the parts, weighted by their length", async () => {
    const options = { truncate: 'chunk', maxLength: 8, normalize: false };
    const ids = [...(await embedder.tokenize('the quick brown fox jumps over the lazy dog'))];
    const inner = ids.slice(1, -1);
    const expected = new Float64Array(embedder.dimension);
    for (let at = 0; at < inner.length; at += 6) {
      const part = inner.slice(at, at + 6);
      const vector = await embedder.embedIds([ids[0], ...part, ids.at(-1)], { normalize: false });
      vector.forEach((x, j) => (expected[j] += (x * part.length) / inner.length));
    }
    const vector = await embedder.embed('the quick brown fox jumps over the lazy dog', options);
    expect(distance(vector, [...expected])).toBeLessThanOrEqual(1e-5);
    const text = 'the quick brown fox jumps over the lazy dog';
    const { truncated, tokens: counts } = await embedder.encode([text], options);
    expect([truncated[0], counts[0]]).toEqual([0, ids.length]);
  });

  test('pooling, with and without normalizing', async () => {
    const hidden = rowsOf('f32.hidden.npy');
    const column = (j) => hidden.map((row) => row[j]);
    const width = hidden[0].length;
    const expected = {
      cls: [...hidden[0]],
      mean: Array.from({ length: width }, (_, j) => column(j).reduce((a, b) => a + b) / hidden.length),
      max: Array.from({ length: width }, (_, j) => Math.max(...column(j))),
    };
    const allowed = caseOf('embd-f32').expect.hidden_state_tolerance.abs;
    for (const [pooling, vector] of Object.entries(expected)) {
      const pooled = await embedder.embed(texts[0], { pooling, normalize: false });
      expect(distance(pooled, vector)).toBeLessThanOrEqual(allowed);
      const length = Math.hypot(...vector);
      const unit = vector.map((x) => x / length);
      expect(distance(await embedder.embed(texts[0], { pooling }), unit)).toBeLessThanOrEqual(allowed);
    }
  });

  test('progress counts texts, increases and ends at the total', async () => {
    const many = Array.from({ length: 700 }, (_, i) => texts[i % texts.length]);
    const events = [];
    const rows = await embedder.embed(many, { onProgress: (...args) => events.push(args) });
    expect(rows).toHaveLength(700);
    rows.forEach((row, i) => expect(row).toEqual(rows[i % texts.length]));
    expect(events.length).toBeGreaterThan(2);
    expect(events.map(([done]) => done)).toEqual([...new Set(events.map(([done]) => done))].sort((a, b) => a - b));
    expect(new Set(events.map(([, total]) => total))).toEqual(new Set([700]));
    expect(events.at(-1)[0]).toBe(700);
  });

  test('unusual texts have defined results', async () => {
    const pairs = [
      ['a\ud800b', 'a\ufffdb'],
      ['\udc00', '\ufffd'],
      ['the\0dog', 'thedog'],
    ];
    for (const [text, same] of pairs) expect(await embedder.embed(text)).toEqual(await embedder.embed(same));
    expect([...(await embedder.tokenize(''))]).toEqual([101, 102]);
    expect(await embedder.embed('')).toHaveLength(embedder.dimension);
    expect(await embedder.embed([])).toEqual([]);
    expect((await embedder.encode([])).vectors).toHaveLength(0);
  });

  test('a text of ten million characters', async () => {
    const long = 'the quick brown fox '.repeat(500_000);
    const [head] = await embedder.embed(['the quick brown fox '.repeat(limit)]);
    expect(await embedder.countTokens(long)).toBeGreaterThan(2_000_000);
    expect(await embedder.embed(long)).toEqual(head);
  });

  test.each([
    ['a number', (e) => e.embed(7), 'wrong_type'],
    ['nothing', (e) => e.embed(), 'wrong_type'],
    ['an array with a hole', (e) => e.embed(['a', , 'b']), 'wrong_type'],
    ['an iterator', (e) => e.encode(new Set(['a'])), 'wrong_type'],
    ['a string as a stream', (e) => e.embedStream('abc').next(), 'wrong_type'],
    ['a stream of numbers', (e) => e.embedStream([1]).next(), 'wrong_type'],
    ['tokenize a number', (e) => e.tokenize(1), 'wrong_type'],
    ['no ids', (e) => e.embedIds([]), 'out_of_range'],
    ['ids that are strings', (e) => e.embedIds(['1']), 'out_of_range'],
    ['negative ids', (e) => e.embedIds([-1]), 'out_of_range'],
    ['ids outside the vocabulary', (e) => e.embedIds([101, 99_999, 102]), 'out_of_range'],
    ['too many ids', (e) => e.embedIds(new Array(limit + 1).fill(101)), 'out_of_range'],
    ['more ids than asked for', (e) => e.embedIds([101, 5, 6, 102], { maxLength: 3 }), 'too_long'],
    ['an unknown option', (e) => e.embed('a', { batch: 3 }), 'unknown_option'],
    ['maxLength 1', (e) => e.embed('a', { maxLength: 1 }), 'out_of_range'],
    ['maxLength beyond the positions', (e) => e.embed('a', { maxLength: limit + 1 }), 'out_of_range'],
    ['pooling', (e) => e.embed('a', { pooling: 'sum' }), 'out_of_range'],
    ['truncate', (e) => e.embed('a', { truncate: 'start' }), 'out_of_range'],
  ])('rejects %s', async (_, call, reason) => {
    expect(await failureOf(() => call(embedder))).toMatchObject({ code: 'INPUT', reason });
    expectRows([await embedder.embed(texts[0])], baseRows.slice(0, 1));
  });
});

test('another limit of tokens', async () => {
  const { file, expect: expected } = caseOf('embd-long');
  const embedder = await Embedder.load(pathOf(file));
  const list = expected.texts.map(({ text }) => text);
  for (const [maxLength, rows] of Object.entries(expected.at_max_length)) {
    const vectors = await embedder.embed(list, { maxLength: Number(maxLength) });
    expectRows(vectors, rowsOf(rows.split('/').pop()), expected.tolerance.abs);
  }
  embedder.close();
});

test('the same bytes from different loads give the same bits', async () => {
  const [first, second] = await Promise.all([Embedder.load(bytesOf(base)), Embedder.load(bytesOf(base))]);
  const [one, other] = await Promise.all([first.embed(texts), second.embed(texts)]);
  expect(other).toEqual(one);
  first.close();
  second.close();
});

test.each([
  ['in this thread', false],
  ['in a worker', true],
])('%s: chunks are embedded without being cut', async (_, worker) => {
  const embedder = await Embedder.load(bytesOf(base), { worker });
  const text = Array.from({ length: 60 }, (_value, i) => texts[i % texts.length]).join('. ');
  for (const maxTokens of [10, embedder.maxLength]) {
    const chunks = await embedder.chunk(text, { maxTokens });
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) {
      expect(await embedder.countTokens(chunk.text)).toBeLessThanOrEqual(maxTokens);
      expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
    }
    // White space between chunks is all that is left out.
    const kept = chunks
      .map((chunk) => chunk.text)
      .join('')
      .replace(/\s/g, '');
    expect(kept).toBe(text.replace(/\s/g, ''));
  }
  expect(await embedder.chunk(text)).toEqual(await embedder.chunk(text, { maxTokens: embedder.maxLength }));
  const overlapping = await embedder.chunk(text, { maxTokens: 20, overlap: 5 });
  expect(overlapping.some(({ start }, i) => i > 0 && start < overlapping[i - 1].end)).toBe(true);
  for (const options of [{ maxTokens: 2 }, { maxTokens: 0 }, { maxTokens: 5, overlap: 5 }, { colour: 1 }]) {
    expect(await failureOf(embedder.chunk(text, options))).toMatchObject({ code: 'INPUT' });
  }
  embedder.close();
});
