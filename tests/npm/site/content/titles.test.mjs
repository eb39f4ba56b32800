// Titles without the name of the site.
import { importSource } from '../../helpers/source.mjs';

const { SiteTitles } = await importSource('site/content/titles.ts');

function titlesOf(pages) {
  const titles = new SiteTitles();
  const all = pages.map((page) => ({
    lang: page.lang ?? '',
    titles: { given: page.given, own: page.own ?? '', heading: page.heading ?? '' },
  }));
  for (const page of all) titles.count(page);
  return all.map((page) => titles.titleOf(page));
}
const own = (...titles) => titles.map((title) => ({ own: title }));

test.each([
  [
    'after a dash',
    own('json — JSON — Python', 'os — Files — Python', 'Index — Python'),
    ['json — JSON', 'os — Files', 'Index'],
  ],
  ['after a hyphen', own('a - Site', 'b - Site', 'c-d - Site'), ['a', 'b', 'c-d']],
  ['before a bar', own('Site | a', 'Site | b', 'Site | c - d'), ['a', 'b', 'c - d']],
  ['never', own('13.3. Locks', '13.4. Checks', '13.5. Caveats'), ['13.3. Locks', '13.4. Checks', '13.5. Caveats']],
  ['on too few pages', own('a - x', 'b - x', 'c - y'), ['a - x', 'b - x', 'c - y']],
  ['alone', own('Site', 'a - Site', 'b - Site', 'c - Site'), ['Site', 'a', 'b', 'c']],
])('the name of the site %s', (_, pages, expected) => expect(titlesOf(pages)).toEqual(expected));

test('each language has its own name', () => {
  const pages = ['a', 'b', 'c'].flatMap((name) => [
    { lang: 'en', own: `${name} - Server` },
    { lang: 'fr', own: `${name} - Serveur` },
  ]);
  expect(titlesOf(pages)).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
});

test('a title that all pages share is ignored', () => {
  const pages = ['A', 'B', 'C'].map((heading) => ({ own: 'My site', heading }));
  expect(titlesOf(pages)).toEqual(['A', 'B', 'C']);
});

test("a page's own title stays, and without any there is none", () => {
  const pages = [...own('a - Site', 'b - Site', 'c - Site'), { given: 'd - Site', own: 'x' }, { heading: 'H' }, {}];
  expect(titlesOf(pages).slice(3)).toEqual(['d - Site', 'H', '']);
});
