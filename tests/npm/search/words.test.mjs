// The words of a search index in its file.
import fc from 'fast-check';
import { SearchIndex } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { axis, bm25, documentsOf, expectScores, indexOf, split, texts, withWords } from './search_texts.mjs';

describe('saved', () => {
  test('the words come back, without the texts', async () => {
    const index = new SearchIndex({ dimension: 4 });
    texts.forEach((text, i) => index.add(String(i), axis(i % 4), i, text));
    const bytes = await index.save();
    expect(Buffer.from(bytes).includes('sat on')).toBe(false);
    const loaded = await SearchIndex.load(bytes);
    expectScores(await loaded.search('the dog on a mat'), bm25(documentsOf(texts), split('the dog on a mat')));
    expect(Buffer.compare(await loaded.save(), bytes)).toBe(0);
    loaded.remove('1');
    loaded.add('6', axis(0), 6, 'one dog more');
    const changed = { ...documentsOf([...texts, 'one dog more']), 1: [] };
    expectScores(await loaded.search('dog'), bm25(changed, ['dog']));
  });

  test('only when they are used', async () => {
    const names = async (bytes) => [...(await readSafetensors(bytes)).tensors.keys()].filter((name) => name.startsWith('keyword'));
    expect(await names(await indexOf(texts).save())).toEqual([]);
    expect(await names(await indexOf(texts, { text: 'text' }).save())).toHaveLength(5);
    expect(await names(await withWords(indexOf(texts)))).toHaveLength(5);
    // A file without words: they are read from the payloads.
    const loaded = await SearchIndex.load(await indexOf(texts).save());
    expectScores(await loaded.search('cat'), bm25(documentsOf(texts), ['cat']));
  });

  test('the same entries give the same bytes, whatever the index had before', async () => {
    const index = new SearchIndex({ dimension: 4, text: 'text' });
    for (let i = 0; i < 50; ++i) index.add(`gone ${i}`, axis(0), { text: `other words ${i}` });
    await index.search('words');
    for (let i = 0; i < 50; ++i) index.remove(`gone ${i}`);
    texts.forEach((text, i) => index.add(String(i), axis(i % 4), { text }));
    expect(Buffer.compare(await index.save(), await indexOf(texts, { text: 'text' }).save())).toBe(0);
  });

  test('merged parts have the bytes of the whole', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '東京', 'é');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const part = fc.array(text, { maxLength: 6 });
    const property = fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const of = (texts, first = 0) => {
        const index = new SearchIndex({ dimension: 4, text: 'text' });
        texts.forEach((text, i) => index.add(String(first + i), axis((first + i) % 4), { text }));
        return index.save();
      };
      let first = 0;
      const saved = [];
      for (const part of parts) {
        saved.push(await of(part, first));
        first += part.length;
      }
      expect(Buffer.compare(await merged(saved), await of(parts.flat()))).toBe(0);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test('parts with and without words do not merge', async () => {
    const [plain, worded] = [await indexOf(texts).save(), await indexOf(texts, { text: 'text' }).save()];
    for (const parts of [[plain, worded], [worded, plain]]) {
      expect(await failureOf(SearchIndex.merge(parts))).toMatchObject({ code: 'INPUT', reason: 'mismatch', message: /^index 1: it has/ });
    }
  });
});

async function merged(parts) {
  const chunks = [];
  for await (const chunk of await SearchIndex.merge(parts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// The first files do not say which rules their words follow: NFKD, lower case, without U+0300 to U+036F; U+00AD split.
describe('older words', () => {
  /** As version 0.1.0 would save these texts, whose words are those of its rules. */
  async function olderFile(texts, rules) {
    const { tensors, metadata } = await readSafetensors(await indexOf(texts).save());
    const vocabulary = [...new Set(texts.flatMap((text) => [...new Set(text.split(' '))].sort()))];
    const rows = texts.map((text) => {
      const numbers = text.split(' ').map((word) => vocabulary.indexOf(word));
      const different = [...new Set(numbers)].sort((a, b) => a - b);
      return { length: numbers.length, different, counts: different.map((number) => numbers.filter((other) => other === number).length) };
    });
    const tensor = (name, dtype, data) => tensors.set(name, { dtype, shape: [data.length], data });
    tensor('keywords', 'U8', new TextEncoder().encode(JSON.stringify(vocabulary)));
    tensor('keyword_lengths', 'U32', Uint32Array.from(rows, ({ length }) => length));
    tensor('keyword_sizes', 'U32', Uint32Array.from(rows, ({ different }) => different.length));
    tensor('keyword_words', 'U32', Uint32Array.from(rows.flatMap(({ different }) => different)));
    tensor('keyword_counts', 'U8', Uint8Array.from(rows.flatMap(({ counts }) => counts)));
    return writeSafetensors(tensors, { ...metadata, ...(rules && { word_rules: rules }) });
  }
  const older = ['łodz lodz łodz', 'מָה \ufe0f מה', '\ufe0f', 'plain words'];
  const today = { 0: ['lodz', 'lodz', 'lodz'], 1: ['מה', 'מה'], 2: [], 3: ['plain', 'words'] };

  test.each([['Łódź', 'lodz'], ['מה', 'מה'], ['plain', 'plain'], ['\ufe0f', 'none']])('%s finds them as new ones', async (query, word) => {
    const index = await SearchIndex.load(await olderFile(older));
    expectScores(await index.search(query), bm25(today, [word]));
  });

  test('are saved as new ones', async () => {
    const loaded = await SearchIndex.load(await (await SearchIndex.load(await olderFile(older))).save());
    expectScores(await loaded.search('lodz plain'), bm25(today, ['lodz', 'plain']));
    const { metadata } = await readSafetensors(await loaded.save());
    expect(metadata.word_rules).toBe('2');
    expect((await readSafetensors(await indexOf(texts).save())).metadata).not.toHaveProperty('word_rules');
  });

  test('do not merge, and newer ones do not load', async () => {
    const [now, before, later] = [await withWords(indexOf(texts)), await olderFile(older), await olderFile(older, '3')];
    const refusal = { code: 'FORMAT', format: 'safetensors', reason: 'bad_version', tensor: 'keywords' };
    for (const file of [before, later]) {
      expect(await failureOf(merged([now, file]))).toMatchObject({ ...refusal, message: /^index 1: / });
    }
    expect(await failureOf(SearchIndex.load(later))).toMatchObject({ ...refusal, message: /rules 3, expected 2/ });
    expect(await failureOf(indexOf(texts).save({ metadata: { word_rules: '1' } }))).toMatchObject({ code: 'INPUT', reason: 'duplicate' });
  });

  test('of a hostile file do not become more', async () => {
    const index = await SearchIndex.load(await olderFile(['x', `${'a,'.repeat(100)}a ${'b,'.repeat(100)}b`]));
    const { tensors } = await readSafetensors(await index.save());
    expect([...tensors.get('keyword_sizes').data]).toEqual([1, 2]);
  });
});

describe('hostile words', () => {
  const integers = (...values) => Uint32Array.from(values);
  const good = {
    keywords: new TextEncoder().encode('["b","c","a"]'),
    keyword_lengths: integers(3, 0, 2),
    keyword_sizes: integers(2, 0, 2),
    keyword_words: integers(0, 1, 1, 2),
    keyword_counts: Uint8Array.of(2, 1, 1, 1),
  };
  const fileWith = async (changes) => {
    const { tensors, metadata } = await readSafetensors(await indexOf(['b b c', '', 'c a']).save());
    for (const [name, data] of Object.entries({ ...good, ...changes })) {
      if (data) tensors.set(name, { dtype: data instanceof Uint8Array ? 'U8' : data instanceof Uint32Array ? 'U32' : 'F32', shape: [data.length], data });
    }
    return writeSafetensors(tensors, { ...metadata, word_rules: '2' });
  };

  test('unchanged they are those of the index', async () => {
    expect(Buffer.compare(await fileWith({}), await indexOf(['b b c', '', 'c a'], { text: 'text' }).save())).toBe(0);
  });

  test.each([
    ['no JSON', { keywords: new TextEncoder().encode('["b"') }, 'malformed'],
    ['no list', { keywords: new TextEncoder().encode('{}') }, 'malformed'],
    ['a word that is a number', { keywords: new TextEncoder().encode('["b","c",1]') }, 'malformed'],
    ['an empty word', { keywords: new TextEncoder().encode('["b","c",""]') }, 'malformed'],
    ['a word twice', { keywords: new TextEncoder().encode('["b","c","b"]') }, 'duplicate'],
    ['a number without word', { keywords: new TextEncoder().encode('["b","c"]') }, 'out_of_range'],
    ['no lengths', { keyword_lengths: undefined }, 'missing'],
    ['no counts', { keyword_counts: undefined }, 'missing'],
    ['another type', { keyword_sizes: Float32Array.of(2, 0, 2) }, 'mismatch'],
    ['too few lengths', { keyword_lengths: integers(3, 0) }, 'mismatch'],
    ['too many sizes', { keyword_sizes: integers(2, 0, 2, 0) }, 'mismatch'],
    ['huge sizes', { keyword_sizes: integers(2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1) }, 'mismatch'],
    ['sizes that are not those of the words', { keyword_sizes: integers(2, 0, 1) }, 'mismatch'],
    ['words that do not ascend', { keyword_words: integers(1, 0, 1, 2) }, 'malformed'],
    ['a word of an entry twice', { keyword_words: integers(0, 0, 1, 2) }, 'malformed'],
    ['a count of 0', { keyword_counts: Uint8Array.of(3, 0, 1, 1) }, 'out_of_range'],
    ['a length that is not the sum', { keyword_lengths: integers(4, 0, 2) }, 'mismatch'],
    ['a length without words', { keyword_lengths: integers(3, 1, 2) }, 'mismatch'],
  ])('%s', async (_, changes, reason) => {
    const file = await fileWith(changes);
    const refusal = { code: 'FORMAT', format: 'safetensors', reason };
    expect(await failureOf(SearchIndex.load(file))).toMatchObject(refusal);
    expect(await failureOf(merged([file]))).toMatchObject(refusal);
  });

  test('any byte changed: an index or a clean refusal', async () => {
    const bytes = await fileWith({});
    const property = fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      const changed = bytes.slice();
      changed[at] ^= bits;
      for (const attempt of [SearchIndex.load(changed).then((index) => index.search('a b c')), merged([changed])]) {
        await attempt.catch(({ name, code }) => expect([name, code]).toEqual(['QuintetError', 'FORMAT']));
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
