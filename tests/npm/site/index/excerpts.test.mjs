// The excerpt of a result: the words of the query are marked in the original text, regardless of what was folded to
// find them.
import { importSource } from '../../helpers/source.mjs';
import { marked, page, section, withSite } from './small_site.mjs';

const { wordsOf, wordRangesOf } = await importSource('search/keywords/words.ts');

const excerptOf = (text, query, lang = 'en') =>
  withSite([page('a.html', 'Title', text, { lang })], async (site) => (await site.search(query))[0].excerpt, { lang });

test.each([
  [
    'words and their endings',
    'Connections are pooled. A pool has connections.',
    'connection pool',
    ['Connections', 'pooled', 'pool', 'connections'],
  ],
  ['after emojis', '👩‍👩‍👧 and 🎉 a party', 'party', ['party']],
  ['with soft hyphens', 'a data\u00adbase here', 'database', ['data\u00adbase']],
  ['with combining marks', 'a cafe\u0301 there', 'café', ['cafe\u0301']],
  ['with compatibility forms', 'the ﬁle and the ﬁlter', 'file', ['ﬁle']],
  ['in Japanese', '東京都の天気予報です', '天気', ['天気'], 'ja'],
  ['in Japanese with marks apart', '今日のか\u3099いどを見る', 'がいど', ['か\u3099いど'], 'ja'],
  ['pairs side by side as one', '数据库连接池的配置', '连接池', ['连接池'], 'zh'],
  ['in Korean', '새 데이터베이스를 설정합니다', '데이터베이스', ['데이터베이스'], 'ko'],
  ['with letters beyond the first plane', '𝐛𝐨𝐥𝐝 text', 'bold', ['𝐛𝐨𝐥𝐝']],
  ['names as one', 'Set max_connections now', 'max_connections', ['max_connections']],
  ['vowel signs', 'كَتَبَ الدرس', 'كتب', ['كَتَبَ'], 'ar'],
])('marks %s', async (_, text, query, expected, lang = 'en') => {
  expect(marked(await excerptOf(text, query, lang))).toEqual(expected);
});

const sentences = Array.from({ length: 40 }, (_, i) => `Sentence number ${i} says nothing that anybody wants.`);

test('shows the sentence with the words', async () => {
  sentences[23] = 'The checkpoint is written by a process of its own.';
  const { text } = await excerptOf(sentences.join(' '), 'checkpoint process');
  expect(text.startsWith('The checkpoint is written by a process of its own.')).toBe(true);
  expect(text.length).toBeLessThanOrEqual(202);
});

test('cuts long sentences between words, and marks the cut', async () => {
  const long = `${'word '.repeat(200)}needle ${'word '.repeat(200)}`;
  const excerpt = await excerptOf(long, 'needle');
  expect(marked(excerpt)).toEqual(['needle']);
  expect(excerpt.text).toMatch(/^…word (word )*needle (word )*word…$/);
});

test('never cuts within a character', async () => {
  const families = '👩‍👩‍👧'.repeat(60);
  const { text } = await excerptOf(`needle ${families}`, 'needle');
  expect(text.replace(/👩‍👩‍👧/g, '')).toBe('needle …');
});

test('markup in a text stays text', async () => {
  const { text, marks } = await excerptOf('Use <script>alert(1)</script> & more.', 'alert');
  expect(text).toBe('Use <script>alert(1)</script> & more.');
  expect(marks).toEqual([[12, 17]]);
});

test('the passage with most of the query is shown', async () => {
  const pages = [
    page('a.html', 'A', '', { sections: [section('s', 'S', 'A table is empty.', 'A table has rows.', 'Nothing.')] }),
  ];
  await withSite(pages, async (site) => {
    expect((await site.search('rows of a table'))[0].excerpt.text).toBe('A table has rows.');
  });
});

describe('the places of words', () => {
  const texts = [
    'Plain words, and more.',
    'ﬁ ﬃ ㎏ ㌀ ① Ⅷ ½ ㈱ a\u0301b\u0302 \u1100\u1161\u11a8 가각',
    'か\u3099き\u3099 ｶﾞｷﾞ ｱｲｳ 東京 𠮷野家 ไทย ລາວ မြန်မာ ខ្មែរ',
    'd\u00adat\u200da \ufeffx\u2060y \u200f\u05e9\u05dc\u05d5\u05dd\u200e',
    'ǅ İ ß ẞ œuvre Straße ΑΣ\u0345 ά',
    '\ud800 lone \udc00 surrogates',
    'a' + '\u0301'.repeat(60) + ' zalgo',
  ];
  test.each(texts)('%j', (text) => {
    const ranges = wordRangesOf(text);
    expect(ranges.map(({ word }) => word)).toEqual(wordsOf(text));
    let before = 0;
    for (const { word, start, end } of ranges) {
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(text.length);
      // A part of a compatibility character stands for all of it; any other place gives the word again.
      if (!/[㌀-㏿①-⓿Ⅰ-ↈ½㈀-㋿]/.test(text.slice(start, end))) expect(wordsOf(text.slice(start, end))).toContain(word);
      before = start;
    }
  });
});
