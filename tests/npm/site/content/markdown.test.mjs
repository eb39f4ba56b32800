// Pages of Markdown. The ids of headings are those that GitHub gives them.
import { importSource } from '../../helpers/source.mjs';

const { readMarkdownPage } = await importSource('site/content/markdown.ts');
const { frontMatterOf } = await importSource('site/content/front_matter.ts');
const read = (text) => readMarkdownPage(Buffer.from(text));

test('headings, code, tables and HTML', () => {
  const page = read(`# Guide

Some *text* with \`code\` and a [link](x.md).

## What's new in 2.0?

| a | b |
| - | - |
| 1 | 2 |

## Install & run {#setup}

<p>As HTML.</p>

### \`npm i\`

    npm i

## Install & run
## Install & run
`);
  expect(page.titles).toEqual({ given: undefined, own: '', heading: 'Guide' });
  expect(
    page.sections.map(({ anchor, title, trail, passages }) => [
      anchor,
      title,
      trail.length,
      passages.map(({ text }) => text),
    ]),
  ).toEqual([
    ['guide', 'Guide', 0, ['Some text with code and a link.']],
    ['whats-new-in-20', "What's new in 2.0?", 1, ['a | b\n1 | 2']],
    ['setup', 'Install & run', 1, ['As HTML.']],
    ['npm-i', 'npm i', 2, ['npm i']],
    ['install--run', 'Install & run', 1, []],
    ['install--run-1', 'Install & run', 1, []],
  ]);
});

test('front matter', () => {
  const { titles, meta, lang, isUnlisted } = read(
    '---\ntitle: "A: \\"b\\""\ndescription: \'It\'\'s\' # no\nlang: DE\ndraft: true\ntags: [x]\n---\ntext',
  );
  expect([titles.own, meta, lang, isUnlisted]).toEqual(['A: "b"', { description: "It's" }, 'de', true]);
  expect(read('---\ntitle: T\n---\n# H').titles).toEqual({ given: undefined, own: 'T', heading: 'H' });
});

test.each([
  ['+++\r\ntitle = "T"\r\n+++\r\nx', [['title', 'T']], 'x'],
  ['---\n---\nx', [], 'x'],
  ['text\n---\ntitle: T\n---\n', [], 'text\n---\ntitle: T\n---\n'],
  ['---\ntitle: T\n', [], '---\ntitle: T\n'],
  ['---\na:\n  b: c\nd: |\n---\n', [], ''],
])('%j', (text, fields, body) => {
  const found = frontMatterOf(text);
  expect([[...found.fields], found.body]).toEqual([fields, body]);
});
