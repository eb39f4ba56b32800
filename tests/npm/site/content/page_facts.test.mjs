// Facts that pages state about themselves.
import { read, textOf } from './read_html.mjs';

describe('the encoding', () => {
  const latin1 = (html) => Buffer.from(html, 'latin1');

  // Bytes of EUC-KR (KS X 1001) and Shift_JIS.
  test.each([
    ['UTF-8 without a word', Buffer.from('<p>é漢'), 'é漢'],
    ['a byte order mark against a meta', Buffer.from('\ufeff<meta charset="iso-8859-1"><p>é'), 'é'],
    ['meta charset', latin1('<meta charset=iso-8859-1><p>é'), 'é'],
    ['meta http-equiv', latin1('<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=ISO-8859-1"><p>\x80'), '€'],
    ['EUC-KR', Buffer.from('<meta charset="EUC-KR"><p>\xc7\xd1\xb1\xdb', 'latin1'), '한글'],
    ['Shift_JIS', Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b', 'latin1'), '日本'],
    ['an XML declaration', latin1('<?xml version="1.0" encoding="ISO-8859-1"?><p>é'), 'é'],
    ['UTF-16 with a mark', Buffer.from('\ufeff<p>é漢', 'utf16le'), 'é漢'],
    ['a meta that says UTF-16', Buffer.from('<meta charset="utf-16"><p>é'), 'é'],
    ['an unknown name', Buffer.from('<meta charset="klingon"><p>é'), 'é'],
    ['a meta in a comment', Buffer.from('<!-- <meta charset="iso-8859-1"> --><p>é'), 'é'],
  ])('%s', (_, bytes, expected) => expect(textOf(bytes)).toBe(expected));
});

test.each([
  ['<html lang="de-AT">', 'de-at'],
  ['<html lang="pt_BR">', 'pt-br'],
  ['<html xml:lang="fr">', 'fr'],
  ['<html>', ''],
  ['<html lang="">', ''],
  ['<html lang="<script>">', ''],
])('the language of %s is %j', (html, lang) => expect(read(`${html}<p>x`).lang).toBe(lang));

test('title and first heading', () => {
  const html =
    '<title> A\n  &amp; B </title><svg><title>Icon</title></svg><h2>No</h2><h1></h1><h1>First<a href="#x">¶</a></h1>';
  expect(read(html).titles).toEqual({ given: undefined, own: 'A & B', heading: 'First' });
});

test('the description', () => {
  expect(read('<meta name="Description" content=" What\n it is. ">').meta).toEqual({ description: 'What it is.' });
});

test.each([
  ['<meta name="robots" content="noindex, follow">', true],
  ['<meta name="ROBOTS" content="NONE">', true],
  ['<meta name="robots" content="noimageindex,nofollow">', false],
  ['<meta name="googlebot-news" content="noindex">', false],
])('%s', (html, isUnlisted) => expect(read(html).isUnlisted).toBe(isUnlisted));

test.each([
  ['<meta http-equiv="refresh" content="0; url=/new/">', true],
  ['<meta http-equiv="Refresh" content="0;URL=\'new.html\'">', true],
  ['<meta http-equiv="refresh" content="300">', false],
])('%s', (html, isRedirect) => expect(read(html).isRedirect).toBe(isRedirect));

test('the canonical link', () => {
  expect(read('<link rel="CANONICAL" href=" /a.html "><link rel="canonical" href="/b">').canonical).toBe('/a.html');
  expect(read('<link rel="next" href="/a.html">').canonical).toBeUndefined();
});
