// An index with a model: texts are added with its prompts, and saved indexes record the model. Rankings are compared
// with those of the vectors of `embed`, whose prompts are put before the texts by hand.
import { Embedder, Reranker, SearchIndex } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { dot, entries, json, prompts, source, texts } from './prompted_model.mjs';

let model;
let reranker;
beforeAll(async () => {
  model = await Embedder.load(source);
  reranker = await Reranker.load(fixturePath('rerankers/bert'));
});
afterAll(() => {
  model.close();
  reranker.close();
});

/** The ids of the entries by the vectors of `embed`. */
async function ranked(query, { dimensions = model.dimension, before = prompts } = {}) {
  const options = { dimensions, prompt: '' };
  const vector = await model.embed(before.query + query, options);
  const vectors = await model.embed(
    texts.map((text) => before.passage + text),
    options,
  );
  const scores = vectors.map((each, i) => ({ id: entries[i].id, score: dot(each, vector) }));
  return scores.sort((a, b) => b.score - a.score);
}

function expectRanking(hits, expected) {
  expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  hits.forEach(({ score }, i) => expect(Math.abs(score - expected[i].score)).toBeLessThan(1e-5));
}

describe('prompts', () => {
  test.each([
    [{ query: 'q: ', document: 'd: ', passage: 'p: ' }, 'q: ', 'd: ', null],
    [{ corpus: 'c: ', passage: 'p: ' }, '', 'p: ', null],
    [{ corpus: 'c: ' }, '', 'c: ', null],
    [{ other: 'o: ' }, '', '', null],
    [{ query: 'q: ', other: 'o: ' }, 'q: ', 'o: ', 'other'],
  ])('%j: queries get %j, documents %j', async (prompts, query, document, default_prompt_name) => {
    const embedder = await Embedder.load({
      ...source,
      'config_sentence_transformers.json': json({ prompts, default_prompt_name }),
    });
    const [a, b] = await embedder.embed([`${query}a cat`, `${document}a cat`], { prompt: '' });
    expect(await embedder.embedQuery('a cat')).toEqual(a);
    expect(await embedder.embedQuery(['a cat'])).toEqual([a]);
    expect(await embedder.embedDocuments(['a cat'])).toEqual([b]);
    expect((await embedder.encode(['a cat'], { role: 'document' })).vectors).toEqual(b);
    for await (const vector of embedder.embedStream(['a cat'], { role: 'query' })) expect(vector).toEqual(a);
    embedder.close();
  });

  test('explicit ones win', async () => {
    const [plain, passage] = await model.embed(['a cat', 'passage: a cat'], { prompt: '' });
    expect(await model.embedQuery('a cat', { prompt: '' })).toEqual(plain);
    expect(await model.embedQuery('a cat', { promptName: 'passage' })).toEqual(passage);
    expect(await failureOf(model.embedQuery('a cat', { promptName: 'none' }))).toMatchObject({
      code: 'INPUT',
      reason: 'unknown_value',
    });
    expect(await failureOf(model.embedDocuments('a cat'))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
  });

  test('a model that is known to need prompts, and has none, reports it', async () => {
    const { 'config_sentence_transformers.json': _, ...plain } = source;
    const named = (name) => new File([plain['model.safetensors']], name);
    const warnings = async (name, files = plain) => {
      const embedder = await Embedder.load({ ...files, 'model.safetensors': named(name) });
      embedder.close();
      return embedder.info.warnings ?? [];
    };
    expect(await warnings('multilingual-e5-small.safetensors')).toEqual([
      expect.stringMatching(/'query: ' before queries and 'passage: '/),
    ]);
    expect(await warnings('multilingual_e5_large_instruct.safetensors')).toEqual([
      expect.stringMatching(/'Instruct: /),
    ]);
    expect(await warnings('paraphrase-multilingual.safetensors')).toEqual([]);
    expect(await warnings('nomic-embed-text.safetensors')).toEqual([]);
    expect(await warnings('multilingual-e5-small.safetensors', source)).toEqual([]);
  });
});

describe('texts', () => {
  test('are added and found with the prompts of the model', async () => {
    const index = new SearchIndex({ embedder: model });
    const progress = [];
    expect(await index.addTexts(entries, { onProgress: (...step) => progress.push(step) })).toBe(texts.length);
    expect(progress.at(-1)).toEqual([texts.length, texts.length]);
    const hits = await index.search('wet cats', { mode: 'vector' });
    expectRanking(hits, await ranked('wet cats'));
    expect(hits).toEqual(index.nearest(await model.embed('query: wet cats', { prompt: '' })));
    const { id, text, payload } = hits[0];
    expect(entries.find((entry) => entry.id === id)).toEqual({ id, text, payload });
    expect(index.get(id)).toMatchObject({ id, text, payload });
    expect(index.get('1')).toBeUndefined();
    expect(index.ids()).toEqual(entries.map(({ id }) => id));
  });

  test('with other prompts and fewer dimensions', async () => {
    const before = { query: 'Q ', passage: 'P ' };
    const index = new SearchIndex({
      embedder: model,
      dimension: 16,
      prompts: { query: before.query, document: before.passage },
    });
    await index.addTexts(new Set(entries));
    expectRanking(
      await index.search('wet cats', { mode: 'vector' }),
      await ranked('wet cats', { dimensions: 16, before }),
    );
    const loaded = await SearchIndex.load(await index.save(), { embedder: model });
    expect(await loaded.search('wet cats')).toEqual(await index.search('wet cats'));
    await loaded.addTexts([{ id: 'new', text: 'wet' }]);
    expect(loaded.get('new').vector).toEqual(await model.embed('P wet', { prompt: '', dimensions: 16 }));
  });

  test('a call after an aborted one does not embed existing texts again', async () => {
    const many = Array.from({ length: 200 }, (_, i) => ({ id: i, text: `${texts[i % texts.length]} ${i}` }));
    let embedded = 0;
    const counting = {
      dimension: model.dimension,
      prompts: model.prompts,
      embedQuery: (text, options) => model.embedQuery(text, options),
      embedDocuments: (batch, options) => {
        embedded += batch.length;
        return model.embedDocuments(batch, options);
      },
    };
    const index = new SearchIndex({ embedder: counting });
    const controller = new AbortController();
    const onProgress = (done) => done >= 64 && controller.abort();
    expect(await failureOf(index.addTexts(many, { signal: controller.signal, onProgress }))).toMatchObject({
      code: 'ABORTED',
    });
    const kept = index.size;
    expect([kept >= 64, kept < 200]).toEqual([true, true]);
    await index.addTexts(many);
    expect(index.size).toBe(200);
    expect(embedded).toBeLessThanOrEqual(200 + 32);
    await index.addTexts([
      { id: 7, text: many[7].text, payload: 'seven' },
      { id: 8, text: 'changed' },
    ]);
    expect(embedded).toBeLessThanOrEqual(201 + 32);
    expect(index.get(7)).toMatchObject({ text: many[7].text, payload: 'seven' });
    expect(index.get(8)).toMatchObject({ text: 'changed' });
    const whole = new SearchIndex({ embedder: model });
    await whole.addTexts(many.map((entry) => (entry.id === 8 ? { id: 8, text: 'changed' } : entry)));
    const answers = (hits) => hits.map(({ id, score }) => [id, score]);
    expect(answers(await index.search('cats 8'))).toEqual(answers(await whole.search('cats 8')));
  });

  test('that were added for their words alone get a vector', async () => {
    const index = new SearchIndex({ embedder: model });
    index.add({ id: 1, text: texts[0] });
    expect(index.get(1).vector).toBeUndefined();
    await index.addTexts([{ id: 1, text: texts[0] }]);
    expect(index.get(1).vector).toEqual(await model.embed(prompts.passage + texts[0], { prompt: '' }));
  });

  test('come from an async iterable, which is closed when no more are read', async () => {
    const index = new SearchIndex({ embedder: model });
    let closed = false;
    async function* later() {
      try {
        for (const entry of entries) yield entry;
        yield { id: 'bad', text: 7 };
      } finally {
        closed = true;
      }
    }
    expect(await failureOf(index.addTexts(later()))).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
    expect(closed).toBe(true);
  });

  test('are reranked', async () => {
    const index = new SearchIndex({ embedder: model, reranker });
    await index.addTexts(entries);
    const scores = await reranker.score('wet cats', texts);
    const expected = entries.map(({ id }, i) => ({ id, score: scores[i] })).sort((a, b) => b.score - a.score);
    expectRanking(await index.search('wet cats', { rerank: true }), expected);
    const three = new Set((await index.search('wet cats', { k: 3 })).map(({ id }) => id));
    expectRanking(
      await index.search('wet cats', { rerank: 3, k: 2 }),
      expected.filter(({ id }) => three.has(id)).slice(0, 2),
    );
    index.add({ id: 'no text', vector: await model.embedQuery('wet cats') });
    expect(await failureOf(index.search('wet cats', { rerank: true }))).toMatchObject({
      code: 'INPUT',
      reason: 'missing',
    });
    const signal = AbortSignal.abort();
    expect(await failureOf(index.search('wet cats', { signal }))).toMatchObject({ code: 'ABORTED' });
  });

  test.each([
    ['no embedder', () => new SearchIndex({ dimension: 4 }).addTexts(entries), 'missing'],
    ['no reranker', () => new SearchIndex({ embedder: model }).search('a', { rerank: true }), 'missing'],
    ['no iterable', () => new SearchIndex({ embedder: model }).addTexts(7), 'wrong_type'],
    ['texts alone', () => new SearchIndex({ embedder: model }).addTexts(texts), 'wrong_type'],
    ['no id', () => new SearchIndex({ embedder: model }).addTexts([{ text: 'a' }]), 'wrong_type'],
    ['another option', () => new SearchIndex({ embedder: model }).addTexts([], { batch: 1 }), 'unknown_option'],
    ['more dimensions than the model has', () => new SearchIndex({ embedder: model, dimension: 65 }), 'mismatch'],
    [
      'prompts with other names',
      () => new SearchIndex({ embedder: model, prompts: { passage: 'p' } }),
      'unknown_option',
    ],
    ['a query that is a vector', () => new SearchIndex({ embedder: model }).search(new Float32Array(64)), 'wrong_type'],
  ])('%s: a clear error', async (_, call, reason) => {
    expect(await failureOf(async () => call())).toMatchObject({ code: 'INPUT', reason });
  });
});

describe('a saved index', () => {
  let saved;
  beforeAll(async () => {
    const index = new SearchIndex({ embedder: model });
    await index.addTexts(entries);
    saved = await index.save();
  });
  const changed = async (embedder) => {
    const { tensors, metadata } = await readSafetensors(saved);
    return writeSafetensors(tensors, { ...metadata, embedder });
  };

  test('keeps ids with their types, and what it was built with', async () => {
    const loaded = await SearchIndex.load(saved, { embedder: model });
    expect(loaded.ids()).toEqual(entries.map(({ id }) => id));
    expectRanking(await loaded.search('wet cats', { mode: 'vector' }), await ranked('wet cats'));
    expect(Buffer.compare(await loaded.save(), saved)).toBe(0);
    const alone = await SearchIndex.load(saved);
    expect(Buffer.compare(await alone.save(), saved)).toBe(0);
    expect(await failureOf(alone.search('cats', { mode: 'vector' }))).toMatchObject({
      code: 'INPUT',
      reason: 'missing',
    });
    expect((await alone.search('cats')).map(({ text }) => text)).toEqual([texts[4]]);
  });

  test('accepts its model in int8, and no other model', async () => {
    const quantized = await Embedder.load(source, { quantize: 'int8' });
    const loaded = await SearchIndex.load(saved, { embedder: quantized });
    expect(loaded.size).toBe(texts.length);
    // The others have equal sizes and names, but other weights or another pooling.
    const weights = await readSafetensors(source['model.safetensors']);
    for (const tensor of weights.tensors.values()) if (tensor.data instanceof Float32Array) tensor.data.reverse();
    const others = [
      { ...source, 'model.safetensors': await writeSafetensors(weights) },
      { ...source, '1_Pooling/config.json': json({ pooling_mode: 'lasttoken', embedding_dimension: 64 }) },
    ];
    for (const other of others) {
      const embedder = await Embedder.load(other);
      const error = await failureOf(SearchIndex.load(saved, { embedder }));
      expect(error).toMatchObject({
        code: 'INPUT',
        reason: 'mismatch',
        message: expect.stringMatching(/built with another model/),
      });
      embedder.close();
    }
    quantized.close();
  });

  test('of vectors alone accepts a model with their dimension', async () => {
    const index = new SearchIndex({ dimension: 4 });
    index.add({ id: 'a', vector: Float32Array.of(1, 0, 0, 0) });
    expect(await failureOf(SearchIndex.load(await index.save(), { embedder: model }))).toMatchObject({
      code: 'INPUT',
      reason: 'mismatch',
    });
  });

  test('is merged with indexes of the same model and prompts only', async () => {
    const bytes = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
    const other = new SearchIndex({ embedder: model });
    await other.addTexts([{ id: 'more', text: 'more cats' }]);
    const merged = await SearchIndex.load(await bytes(await SearchIndex.merge([saved, await other.save()])), {
      embedder: model,
    });
    expect(merged.ids()).toEqual([...entries.map(({ id }) => id), 'more']);
    const prompted = new SearchIndex({ embedder: model, prompts: { document: 'd' } });
    for (const part of [await prompted.save(), await new SearchIndex({ dimension: model.dimension }).save()]) {
      expect(await failureOf(SearchIndex.merge([saved, part]))).toMatchObject({
        code: 'INPUT',
        reason: 'mismatch',
        message: /^index 1: /,
      });
    }
  });

  test('must not change while it is being saved', async () => {
    const index = new SearchIndex({ dimension: 1 });
    const changing = { toJSON: () => index.add({ id: 'new', text: 'a' }) ?? 1 };
    index.add({ id: 'a', text: 'a', payload: changing });
    expect(await failureOf(index.save())).toMatchObject({ code: 'INPUT', reason: 'mismatch' });
  });

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['no probe', JSON.stringify({ name: 'a', dimension: 64, prompts: {} })],
    ['a probe that is not base64', JSON.stringify({ name: 'a', dimension: 64, prompts: {}, probe: '?' })],
    ['a probe of another length', JSON.stringify({ name: 'a', dimension: 64, prompts: {}, probe: 'AAAA' })],
    ['a dimension below that of the index', JSON.stringify({ name: 'a', dimension: 3, prompts: {}, probe: 'AAAA' })],
    [
      'prompts that are numbers',
      JSON.stringify({ name: 'a', dimension: 64, prompts: { query: 1 }, probe: 'A'.repeat(86) }),
    ],
  ])('with %s about its model is rejected', async (_, embedder) => {
    expect(await failureOf(SearchIndex.load(await changed(embedder)))).toMatchObject({
      code: 'FORMAT',
      format: 'safetensors',
    });
  });

  test.each([
    ['an id that is an object', '[{"id":{}}]'],
    ['a number that JavaScript does not have as id', '[{"id":1e999}]'],
    ['no id', '[{"text":"a"}]'],
    ['a text that is a number', '[{"id":"a","text":1}]'],
    ['a vector', '[{"id":"a","vector":true}]'],
    ['an unknown member', '[{"id":"a","__proto__":1}]'],
    ['an array', '[["a"]]'],
    ['two arrays', '[{"id":"a"}],[{"id":"b"}]'],
  ])('with an entry that has %s is rejected', async (_, list) => {
    const { tensors, metadata } = await readSafetensors(await new SearchIndex({ dimension: 1 }).save());
    const data = new TextEncoder().encode(list);
    tensors.set('entries', { dtype: 'U8', shape: [data.length], data });
    expect(await failureOf(SearchIndex.load(await writeSafetensors(tensors, metadata)))).toMatchObject({
      code: 'FORMAT',
      reason: 'malformed',
    });
  });

  test('of many entries is read in pieces, wherever they end', async () => {
    const index = new SearchIndex({ dimension: 1, storage: 'int8' });
    for (let i = 0; i < 3000; ++i)
      index.add({ id: i, text: `[{"${'},{'.repeat(i % 40)}\\`, payload: [[i, { a: '"]' }]] });
    const bytes = await index.save();
    expect(bytes.length).toBeGreaterThan(3 * 65536);
    const loaded = await SearchIndex.load(bytes);
    expect(loaded.ids()).toEqual(index.ids());
    for (const id of [0, 1, 39, 1500, 2999]) expect(loaded.get(id)).toEqual(index.get(id));
  });
});
