// Search for texts: BM25 against the formula, fused rankings and words of many languages.
import fc from 'fast-check';
import { SearchIndex } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { axis, bm25, documentsOf, expectScores, indexOf, split, texts } from './search_texts.mjs';

describe('keywords', () => {
  test.each(['cat', 'dog', 'the cat', 'the the mat', 'a dog on the mat', 'Mat, cat & dog?'])(
    '%j is scored by BM25',
    async (query) => {
      const hits = await indexOf(texts).search(query, { mode: 'keyword' });
      expectScores(hits, bm25(documentsOf(texts), split(query)));
      expect(hits.every(({ id, payload }) => payload.text === texts[id])).toBe(true);
    },
  );

  test('any texts after any changes are scored by BM25', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const text = fc.array(word, { maxLength: 9 }).map((words) => words.join(' '));
    const change = fc.tuple(fc.constantFrom('add', 'add', 'add', 'remove', 'search'), fc.nat(9), text);
    const property = fc.asyncProperty(fc.array(change, { maxLength: 60 }), text, async (changes, query) => {
      const index = new SearchIndex({ dimension: 4 });
      const model = new Map();
      for (const [what, id, text] of changes) {
        if (what === 'add') {
          index.add({ id: String(id), vector: axis(0), text });
          model.set(id, text);
        } else if (what === 'remove') {
          index.remove(String(id));
          model.delete(id);
        } else await index.search(query, { k: 20 });
      }
      const documents = Object.fromEntries(Array.from(model, ([id, text]) => [id, split(text)]));
      const scores = (hits) => new Map(hits.map(({ id, score }) => [id, score]));
      const expected = scores(bm25(documents, split(query)));
      const found = scores(await index.search(query, { k: 20 }));
      expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [id, score] of found) expect(Math.abs(score / expected.get(id) - 1)).toBeLessThan(1e-12);
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test('many changed and removed texts', async () => {
    const text = (i) => `word${i % 97} word${i % 89} ${'more '.repeat(i % 300)} all`;
    const index = new SearchIndex({ dimension: 4 });
    for (let i = 0; i < 2400; ++i) {
      index.add({ id: String(i % 1000), vector: axis(0), text: text(i) });
      if (i % 200 === 0) await index.search('all');
    }
    for (let i = 0; i < 1000; i += 2) index.remove(String(i));
    const documents = {};
    for (let i = 0; i < 2400; ++i)
      documents[i % 1000] = split(text(i).replace(/\d+/g, (digits) => digits.replace(/\d/g, (d) => 'klmnopqrst'[d])));
    for (let i = 0; i < 1000; i += 2) delete documents[i];
    const hits = await index.search('word11 more word3', { k: 5000 });
    const expected = new Map(bm25(documents, ['wordll', 'more', 'wordn']).map(({ id, score }) => [id, score]));
    expect(hits).toHaveLength(expected.size);
    // Counts above 255 are stored as 255, which changes a score by less than two thousandths.
    for (const { id, score } of hits) expect(Math.abs(score / expected.get(id) - 1)).toBeLessThan(2e-3);
  });

  test('equal scores are in the order in which entries were added', async () => {
    const index = indexOf(Array(300).fill('same words'));
    index.remove('5');
    index.add({ id: 'last', vector: axis(0), text: 'same words' });
    const hits = await index.search('words', { k: 400 });
    expect(hits.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 300 }, (_, i) => String(i)).filter((id) => id !== '5'),
      'last',
    ]);
  });

  test('no known word, no word at all, no texts', async () => {
    const index = indexOf(texts);
    for (const query of ['unknown', '', ' ,.!', '\ud800']) expect(await index.search(query)).toEqual([]);
    expect(await new SearchIndex({ dimension: 4 }).search('cat')).toEqual([]);
    expect(await indexOf(['', ' ']).search('cat')).toEqual([]);
    const payloads = new SearchIndex({ dimension: 4 });
    ['cat', { text: 'cat' }].forEach((payload, i) => payloads.add({ id: i, vector: axis(0), payload }));
    expect(await payloads.search('cat')).toEqual([]);
  });

  test('a filter excludes entries by their payload, and k limits the rest', async () => {
    const index = indexOf(texts);
    const filter = ({ text }) => !text.startsWith('the');
    const expected = bm25(documentsOf(texts), ['cat', 'mat']).filter(({ id }) => id !== '0');
    expectScores(await index.search('cat mat', { filter }), expected);
    expectScores(await index.search('the dog', { k: 1 }), bm25(documentsOf(texts), ['the', 'dog']).slice(0, 1));
  });

  test('texts are kept, or only their words', async () => {
    for (const keepTexts of [true, false]) {
      const index = new SearchIndex({ dimension: 4, keepTexts });
      index.add({ id: 'a', vector: axis(0), text: 'about cats', payload: 17 });
      index.add({ id: 'b', vector: axis(1), text: 'dogs', payload: { text: 'cats' } });
      const kept = keepTexts ? { text: 'about cats' } : {};
      expect(await index.search('cats')).toEqual([{ id: 'a', score: expect.any(Number), ...kept, payload: 17 }]);
      index.add({ id: 'a', vector: axis(0), text: 'about birds', payload: 17 });
      expect(await index.search('cats')).toEqual([]);
      expect((await index.search('birds')).map(({ id }) => id)).toEqual(['a']);
      index.add({ id: 'b', vector: axis(0) });
      expect(await index.search('dogs')).toEqual([]);
    }
  });

  test('entries without a vector are found by their words only', async () => {
    const index = new SearchIndex({ dimension: 4 });
    index.add({ id: 'a', vector: axis(0) });
    index.add({ id: 'b', text: 'cats' });
    for (const each of [index, await SearchIndex.load(await index.save())]) {
      expect((await each.search('cats')).map(({ id }) => id)).toEqual(['b']);
      expect(each.nearest(new Float32Array(4)).map(({ id }) => id)).toEqual(['a']);
      expect(each.get('b')).toEqual({ id: 'b', text: 'cats' });
      each.add({ id: 'b', vector: axis(1), text: 'cats' });
      expect(each.nearest(axis(1), { k: 1 })[0].id).toBe('b');
    }
  });
});

describe('words', () => {
  const finds = async (text, query) =>
    (await indexOf([text, 'something else']).search(query)).some(({ id }) => id === '0');

  test.each([
    ['case', 'Größe STRASSE', 'größe'],
    ['sharp s', 'Straße', 'STRASSE'],
    ['accents', 'crème brûlée', 'creme brulee'],
    ['composed and decomposed', 'Zoe\u0308', 'Zoë'],
    ['Greek, the last sigma', 'ΟΔΟΣ', 'οδος'],
    ['Greek accents', 'Καλημέρα', 'καλημερα'],
    ['Cyrillic', 'Щёлково', 'щелково'],
    ['Turkish capital I with a dot', 'İstanbul', 'istanbul'],
    ['ligatures', 'ﬁnal', 'final'],
    ['full width', 'ＡＢＣ１２３', 'abc123'],
    ['vowel signs of Hindi are part of words', 'हिन्दी भाषा', 'हिन्दी'],
    ['Arabic', 'السلام عليكم', 'عليكم'],
    ['Hebrew', 'שלום עולם', 'שלום'],
    ['Korean', '안녕하세요 세계', '세계'],
    ['Chinese within a sentence', '我喜欢机器学习。', '机器'],
    ['Japanese', '東京都に住んでいます', '東京'],
    ['half width katakana', 'ｶﾞﾗｽ', 'ガラス'],
    ['Thai within a sentence', 'สวัสดีชาวโลก', 'ชาวโลก'],
    ['Han beyond the first plane', '𠮷野家で', '𠮷野'],
    ['Latin letters among Han', '我用AI写作', 'ai'],
    ['a single Han character', '水', '水'],
    ['punctuation', 'e-mail: snake_case, "3.14"', 'case'],
    ['numbers', 'route 66', '66'],
    ['letters beyond the first plane', '𐐨𐐩 𐐪', '𐐀𐐁'],
  ])('%s', async (_, text, query) => expect(await finds(text, query)).toBe(true));

  test.each([
    ['parts of words', 'concatenate', 'cat'],
    ['vowels of Hindi', 'कि', 'की'],
    ['Han that are not adjacent', '机械学器', '机器'],
    ['emoji', '😀', '😀'],
  ])('%s are not found', async (_, text, query) => expect(await finds(text, query)).toBe(false));

  test('consist of letters, numbers and marks that all engines have', async () => {
    const index = new SearchIndex({ dimension: 1 });
    // Every 13th of the planes that have letters.
    for (let c = 0; c < 0x32000; c += 13) {
      if (c < 0xd800 || c > 0xdfff)
        index.add({ id: String(c), vector: Float32Array.of(1), text: String.fromCodePoint(c) });
    }
    const { tensors } = await readSafetensors(await index.save());
    const sizes = tensors.get('keyword_sizes').data;
    const entries = JSON.parse(new TextDecoder().decode(tensors.get('entries').data));
    // Accents alone are not words; unassigned, private and newer characters neither.
    const letter = /[\p{L}\p{N}\p{M}\p{Alphabetic}\p{Script=Han}]/u;
    const newer = entries.filter(({ text }, i) => letter.test(text.normalize('NFKD')) !== sizes[i] > 0);
    for (const { text: character } of newer) expect(character.normalize('NFKD')).toMatch(letter);
    const assignedLater = newer.filter(({ text: character }) => !/[\u0300-\u036f]/.test(character.normalize('NFKD')));
    // Unicode 14 and 15 have 838 + 4,489 new characters, later ones more.
    expect(assignedLater.length).toBeLessThan(20_000 / 13);
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(130_000 / 13);
  });
});

describe('fused rankings', () => {
  // The order is 0, 1, 2, 3 by meaning, and 3, 2 by words.
  const fourTexts = ['sun', 'moon', 'star light', 'star star'];
  const vector = Float32Array.of(4, 3, 2, 1);
  const fused = [
    { id: '3', score: 1 / 64 + 1 / 61 },
    { id: '2', score: 1 / 63 + 1 / 62 },
    { id: '0', score: 1 / 61 },
    { id: '1', score: 1 / 62 },
  ].sort((a, b) => b.score - a.score);
  const embedderOf = (vector) => ({
    dimension: 4,
    embedQuery: async () => vector,
    embedDocuments: async (texts) => texts.map(() => vector),
  });
  const embedder = embedderOf(vector);

  test.each([
    ['with an embedder', { embedder }, {}],
    ['with a vector', {}, { vector }],
    ['by name', { embedder }, { mode: 'hybrid' }],
  ])('sum the reciprocal ranks, %s', async (_, options, searching) => {
    expectScores(await indexOf(fourTexts, options).search('star', searching), fused);
  });

  test('with a filter for both rankings', async () => {
    const filter = ({ text }) => text !== 'star star' && text !== 'sun';
    const hits = await indexOf(fourTexts, { embedder }).search('star', { filter });
    expectScores(hits, [
      { id: '2', score: 1 / 62 + 1 / 61 },
      { id: '1', score: 1 / 61 },
    ]);
  });

  test('by vectors alone', async () => {
    const index = indexOf(fourTexts, { embedder });
    expect(await index.search('star', { mode: 'vector', k: 3 })).toEqual(index.nearest(vector, { k: 3 }));
  });

  test('equal sums are in the order in which entries were added', async () => {
    const index = indexOf(['moon', 'star'], { embedder: embedderOf(Float32Array.of(2, 1, 0, 0)) });
    index.add({ id: '2', vector: axis(3), text: 'moon star' });
    // 1: second by meaning, first by words; 0: first by meaning, no word; 2: third and second.
    expect((await index.search('star')).map(({ id }) => id)).toEqual(['1', '2', '0']);
    expect((await index.search('none')).map(({ id }) => id)).toEqual(['0', '1', '2']);
  });

  test.each(['hybrid', 'vector'])('%s needs a vector', async (mode) => {
    expect(await failureOf(indexOf(fourTexts).search('star', { mode }))).toMatchObject({
      code: 'INPUT',
      reason: 'missing',
    });
  });

  test.each([
    ['another mode', { mode: 'fuzzy' }, 'out_of_range'],
    ['an array as vector', { vector: [1, 2, 3, 4] }, 'out_of_range'],
    ['a vector of another length', { vector: new Float32Array(3) }, 'mismatch'],
    ['k 0', { k: 0 }, 'out_of_range'],
    ['an unknown option', { limit: 3 }, 'unknown_option'],
  ])('%s is rejected', async (_, options, reason) => {
    expect(await failureOf(indexOf(fourTexts).search('star', options))).toMatchObject({ code: 'INPUT', reason });
  });

  test.each([
    ['an embedder without embedQuery', { embedder: {} }],
    ['null as embedder', { embedder: null }],
    ['a reranker without rank', { reranker: {} }],
  ])('%s is rejected', async (_, options) => {
    expect(() => indexOf([], options)).toThrow(expect.objectContaining({ code: 'INPUT', reason: 'out_of_range' }));
    expect(await failureOf(SearchIndex.load(await indexOf([]).save(), options))).toMatchObject({ code: 'INPUT' });
  });

  test("a text that is not a string is rejected, and the embedder's errors are passed on", async () => {
    const error = new Error('no model');
    const index = indexOf(fourTexts, { embedder: { ...embedder, embedQuery: () => Promise.reject(error) } });
    expect(() => index.add({ id: 'a', vector: axis(0), text: 7 })).toThrow(
      expect.objectContaining({ code: 'INPUT', reason: 'out_of_range' }),
    );
    await expect(index.search('star')).rejects.toBe(error);
    expect(index.size).toBe(4);
  });

  test('a closed index finds no words', async () => {
    const index = indexOf(fourTexts);
    index.close();
    expect(await failureOf(index.search('star'))).toMatchObject({ code: 'CLOSED' });
    const other = indexOf(fourTexts);
    const search = other.search('star');
    other.close();
    expect(await failureOf(search)).toMatchObject({ code: 'CLOSED' });
  });
});
