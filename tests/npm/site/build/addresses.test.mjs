// The page that an address means.
import { importSource } from '../../helpers/source.mjs';

const { pageKey, SiteAddress } = await importSource('site/build/addresses.ts');

test.each([
  ['guide/index.html', 'guide'],
  ['/guide/', 'guide'],
  ['guide', 'guide'],
  ['guide.html?x#y', 'guide'],
  ['index.html', ''],
  ['/', ''],
  ['guide/myindex.html', 'guide/myindex'],
  ['a%20b.htm', 'a b'],
  ['%', '%'],
])('%s', (url, key) => expect(pageKey(url)).toBe(key));

const pages = (...canonicals) =>
  Object.entries(Object.assign({}, ...canonicals)).map(([url, canonical]) => ({ url, canonical }));

test("the site's address is the one most canonical links share", () => {
  const site = pages({
    'index.html': 'https://example.org/docs/',
    'a.html': 'https://example.org/docs/a.html',
    'b/index.html': 'https://example.org/docs/b',
    'old.html': 'https://example.org/docs/a',
    'copy.html': 'https://other.org/docs/a',
    'root.html': '/docs/a.html',
    'near/x.html': '../a.html',
    'bad.html': 'http://[',
    'none.html': undefined,
  });
  const address = new SiteAddress(site, undefined);
  expect(site.map((page) => address.canonicalKey(page))).toEqual([
    '',
    'a',
    'b',
    'a',
    undefined,
    'docs/a',
    'a',
    undefined,
    undefined,
  ]);
});

test('a given address', () => {
  const site = pages({ 'x.html': 'https://example.org/docs/a.html', 'y.html': 'http://example.org/docs/' });
  const address = new SiteAddress(site, 'https://example.org/docs/');
  expect(site.map((page) => address.canonicalKey(page))).toEqual(['a', '']);
});
