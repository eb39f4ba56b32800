// Pages that are broken, or made to break a reader. Each is read in the time of its size, or up to a limit that the
// error names.
import { outline, read, textOf } from './read_html.mjs';

test.each([
  ['nothing', ''],
  ['no end', '<p>x<b>y<a href="'],
  ['no markup', 'x < y & z'],
  ['zeros', '<p>\0x\0</p>\0'],
  ['a lone end', '</p></div></html>x'],
  ['a comment without end', 'x<!-- y'],
  ['framesets', '<frameset><frame src=x></frameset>'],
  ['a byte that is not UTF-8', Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0x78])],
])('%s', (_, html) => expect(() => read(html)).not.toThrow());

test('broken HTML is read as browsers read it', () => {
  expect(textOf('<!doctype html><p>One<p>Two<table><td>Three<tr>Four')).toBe('One\nTwo\nFour\nThree');
});

test.each([
  ['elements', `<p>Before.</p>${'<div>'.repeat(200_000)}x`, 'nested deeper'],
  [
    'formatting',
    `<p>Before.</p>${Array.from({ length: 20_000 }, (_, i) => `<p><font a${i}>x`).join('')}`,
    'nested deeper',
  ],
])('deep %s end the page there', (_, html, reason) => {
  const page = read(html);
  expect(page.cutOff).toMatch(reason);
  expect(page.sections[0].passages[0].text).toMatch(/^Before\./);
});

test.each([
  [
    'values in values',
    Array.from({ length: 900 }, () => '<i data-pagefind-filter=f>').join('') + 'x y '.repeat(100_000),
  ],
  ['many ids before a heading', `${'<a id=x></a><i id=y></i>'.repeat(30_000)}<h2>x`],
  ['one long word', `<p>${'x'.repeat(500_000)}`],
  ['one long character', `<p>a${'\u0301'.repeat(100_000)}`],
  ['white space', `<p>${' '.repeat(5_000_000)}x`],
  ['white space in code', `<pre>x${' '.repeat(1_000_000)}x</pre>`],
  ['empty lines in code', `<pre>x${' \n'.repeat(500_000)}x</pre><pre>${'\n'.repeat(1_000_000)}x`],
  ['many cells', `<table><tr>${'<td> x'.repeat(50_000)}</table>`],
  ['white space before an address', `<meta http-equiv=refresh content="${' '.repeat(1_000_000)}x">`],
  ['many declarations of an encoding', `${'<meta charset'.repeat(200)}=${' '.repeat(1400)}`],
  ['a long address', `<link rel=canonical href="/a${'/'.repeat(1_000_000)}x">`],
  ['many attributes', `<p ${Array.from({ length: 50_000 }, (_, i) => `a${i}=b`).join(' ')}>x`],
  ['links in links', '<a href="#"><p>'.repeat(10_000)],
])('%s', (_, html) => {
  const start = performance.now();
  read(html);
  expect(performance.now() - start).toBeLessThan(20_000);
});

test('ids may be any text', () => {
  const ids = ['a b', '__proto__', '"><script>', '#', '日本', '%41'];
  const html = ids.map((id) => `<h2 id='${id}'>x</h2>`).join('');
  expect(outline(html).map(([anchor]) => anchor)).toEqual(ids);
});

test('lone surrogates become U+FFFD', () => {
  expect(textOf('<p>a&#xD800;b')).toBe('a\ufffdb');
});

test('long titles are cut between words, and never within a character', () => {
  const [[, long]] = outline(`<h2 id=a>${'word '.repeat(100)}</h2>x`);
  expect(long.length).toBeLessThanOrEqual(120);
  expect(long).toMatch(/word…$/);
  const [[, emoji]] = outline(`<h2 id=a>x${'😀'.repeat(100)}</h2>x`);
  expect(emoji).toMatch(/^x(😀)+…$/u);
});
