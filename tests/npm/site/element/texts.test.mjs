// The texts of <quintet-search>.
import { importSource } from '../../helpers/source.mjs';

const { countText, languages, textsOf } = await importSource('site/element/texts.ts');

/** The twenty languages of most web sites (W3Techs). */
const frequent = 'en es de ja fr pt ru it nl pl tr zh fa vi cs id ko uk hu ar'.split(' ');

test('every language has every text, with its placeholders', () => {
  expect(languages).toEqual(expect.arrayContaining(frequent));
  for (const lang of languages) {
    const { none, count, ...others } = textsOf(lang);
    expect(none).toContain('{query}');
    expect(count).toMatch(/(^|\|)other:.*\{count\}/);
    for (const text of Object.values(others)) expect(text).toMatch(/\S/);
    expect(Object.values(others)).toHaveLength(11);
  }
});

test.each([
  // The categories of CLDR for these numbers.
  ['en', 1, '1 result'],
  ['en', 1234, '1,234 results'],
  ['pl', 1, '1 wynik'],
  ['pl', 3, '3 wyniki'],
  ['pl', 12, '12 wyników'],
  ['ru', 21, '21 результат'],
  ['ru', 24, '24 результата'],
  ['ru', 11, '11 результатов'],
  ['cs', 2, '2 výsledky'],
  ['fr', 0, '0 résultat'],
  ['ja', 5, '5 件の結果'],
  ['ar', 2, 'نتيجتان'],
  ['de', 10, '10 Ergebnisse'],
])('%s: %i', (lang, count, text) => {
  expect(countText(textsOf(lang), count)).toBe(text);
});

test('regions, scripts and unknown languages', () => {
  expect(textsOf('de-CH').search).toBe('Suchen');
  expect(textsOf('zh-TW').search).toBe('搜尋');
  expect(textsOf('zh-Hant-HK').search).toBe('搜尋');
  expect(textsOf('zh-CN').search).toBe('搜索');
  for (const lang of ['xx', '', 'constructor', '__proto__'])
    expect(textsOf(lang)).toMatchObject({ search: 'Search', lang: 'en' });
  for (const lang of ['ar', 'fa-IR', 'he', 'ur']) expect(textsOf(lang).dir).toBe('rtl');
  // Aragonese is not Arabic.
  for (const lang of ['arg', 'en', 'ja']) expect(textsOf(lang).dir).toBe('ltr');
  expect(textsOf('de', { search: 'Finden' })).toMatchObject({ search: 'Finden', close: 'Schließen' });
});
