// The words of a search index in its file.
import fc from 'fast-check';
import { SearchIndex } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { axis, bm25, documentsOf, expectScores, indexOf, split, texts } from './search_texts.mjs';

describe('saved', () => {
  test('words are restored, without the texts if they are not kept', async () => {
    const index = new SearchIndex({ dimension: 4, keepTexts: false });
    texts.forEach((text, i) => index.add({ id: String(i), vector: axis(i % 4), text, payload: i }));
    const bytes = await index.save();
    expect(Buffer.from(bytes).includes('sat on')).toBe(false);
    const loaded = await SearchIndex.load(bytes);
    expectScores(await loaded.search('the dog on a mat'), bm25(documentsOf(texts), split('the dog on a mat')));
    expect(Buffer.compare(await loaded.save(), bytes)).toBe(0);
    loaded.remove('1');
    loaded.add({ id: '6', vector: axis(0), text: 'one dog more', payload: 6 });
    const changed = { ...documentsOf([...texts, 'one dog more']), 1: [] };
    expectScores(await loaded.search('dog'), bm25(changed, ['dog']));
  });

  test('changes before the first search for words count', async () => {
    const loaded = await SearchIndex.load(await indexOf(texts).save());
    loaded.remove('1');
    loaded.add({ id: 'in its place', vector: axis(0) });
    loaded.add({ id: '4', vector: axis(0), text: 'one cat less' });
    // While the saved words are being taken.
    const searching = loaded.search('the dog on a mat', { mode: 'keyword' });
    loaded.add({ id: '2', vector: axis(2), text: 'a mat' });
    const changed = { ...documentsOf(texts), 1: [], 2: ['a', 'mat'], 4: ['one', 'cat', 'less'] };
    await searching;
    expectScores(
      await loaded.search('the dog on a mat', { mode: 'keyword' }),
      bm25(changed, split('the dog on a mat')),
    );
  });

  test('only if there are any, and if they are searchable', async () => {
    const names = async (bytes) =>
      [...(await readSafetensors(bytes)).tensors.keys()].filter((name) => name.startsWith('keyword'));
    expect(await names(await indexOf(texts).save())).toHaveLength(5);
    expect(await names(await indexOf(['', ' ']).save())).toEqual([]);
    const off = await indexOf(texts, { keywords: false }).save();
    expect(await names(off)).toEqual([]);
    for (const mode of ['keyword', 'hybrid']) {
      const refused = (await SearchIndex.load(off)).search('cat', { mode, vector: axis(0) });
      expect(await failureOf(refused)).toMatchObject({ code: 'INPUT', reason: 'missing' });
    }
  });

  test('the same entries give the same bytes, regardless of what the index had before', async () => {
    const index = new SearchIndex({ dimension: 4 });
    for (let i = 0; i < 50; ++i) index.add({ id: `gone ${i}`, vector: axis(0), text: `other words ${i}` });
    await index.search('words');
    for (let i = 0; i < 50; ++i) index.remove(`gone ${i}`);
    texts.forEach((text, i) => index.add({ id: String(i), vector: axis(i % 4), text, payload: { text } }));
    expect(Buffer.compare(await index.save(), await indexOf(texts).save())).toBe(0);
  });

  test('merged parts give the same bytes as the whole', async () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '東京', 'é');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    const part = fc.array(text, { maxLength: 6 });
    const property = fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const of = (texts, first = 0) => {
        const index = new SearchIndex({ dimension: 4 });
        texts.forEach((text, i) =>
          index.add({ id: String(first + i), vector: axis((first + i) % 4), text, payload: { text } }),
        );
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
});

async function merged(parts) {
  const chunks = [];
  for await (const chunk of await SearchIndex.merge(parts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test.each([
  ['without rules', undefined],
  ['of earlier rules', '2'],
  ['of later rules', '4'],
])('words %s are rejected', async (_, rules) => {
  const { tensors, metadata } = await readSafetensors(await indexOf(texts).save());
  const { word_rules, ...others } = metadata;
  expect(word_rules).toBe('3');
  const file = await writeSafetensors(tensors, { ...others, ...(rules && { word_rules: rules }) });
  const refusal = { code: 'FORMAT', format: 'safetensors', reason: 'bad_version', tensor: 'keywords' };
  expect(await failureOf(SearchIndex.load(file))).toMatchObject(refusal);
  expect(await failureOf(merged([file]))).toMatchObject(refusal);
  expect(await failureOf(indexOf(texts).save({ metadata: { word_rules: '1' } }))).toMatchObject({
    code: 'INPUT',
    reason: 'duplicate',
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
      if (!data) tensors.delete(name);
      else
        tensors.set(name, {
          dtype: data instanceof Uint8Array ? 'U8' : data instanceof Uint32Array ? 'U32' : 'F32',
          shape: [data.length],
          data,
        });
    }
    return writeSafetensors(tensors, { ...metadata, word_rules: '3' });
  };

  test('unchanged, they equal those of the index', async () => {
    expect(Buffer.compare(await fileWith({}), await indexOf(['b b c', '', 'c a']).save())).toBe(0);
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

  test('any changed byte: an index or a clean error', async () => {
    const bytes = await fileWith({});
    const property = fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      const changed = bytes.slice();
      changed[at] ^= bits;
      for (const attempt of [
        () => SearchIndex.load(changed).then((index) => index.search('a b c')),
        () => merged([changed]),
      ]) {
        await attempt().catch(({ name, code }) => expect([name, code]).toEqual(['QuintetError', 'FORMAT']));
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
