// The attributes of Pagefind. Each does what Pagefind's documentation states (https://pagefind.app/docs/): the examples
// are from its pages indexing, metadata, filtering, sorts and weighting.
import { read, textOf } from './read_html.mjs';

describe('data-pagefind-body', () => {
  test('is all that is indexed', () => {
    const html =
      '<body><main data-pagefind-body><h1>Condimentum</h1><p>Nullam id dolor.</p></main><aside>Not this.</aside>';
    expect(textOf(`<h2>Nor this</h2>${html}`)).toBe('Nullam id dolor.');
    expect(read(html).hasMarkedBody).toBe(true);
    expect(read('<p>x').hasMarkedBody).toBe(false);
  });

  test('several are combined', () => {
    const html = '<p data-pagefind-body>One.</p><p>Two.</p><div data-pagefind-body>Three.</div>';
    expect(textOf(html)).toBe('One.\nThree.');
  });
});

describe('data-pagefind-ignore', () => {
  const page = (value) => `
    <aside data-pagefind-ignore${value}><h1>The title</h1><img src="a.png"><p data-pagefind-meta="a">Meta</p>
    <p data-pagefind-filter="f">F</p></aside><p>Text.</p>`;

  test.each(['', '="index"', '="INDEX"'])('%s leaves out the text, but not what it says about the page', (value) => {
    const { titles, meta, filters } = read(page(value));
    expect(textOf(page(value))).toBe('Text.');
    expect([titles.heading, meta, filters]).toEqual(['The title', { a: 'Meta', image: 'a.png' }, { f: ['F'] }]);
  });

  test('="all" leaves out everything', () => {
    const { titles, meta, filters } = read(page('="all"'));
    expect([titles.heading, meta, filters, textOf(page('="all"'))]).toEqual(['', {}, {}, 'Text.']);
  });
});

describe('data-pagefind-meta', () => {
  test.each([
    ['an element', '<p data-pagefind-meta="about">Hello <b>World</b></p>', { about: 'Hello World' }],
    ['an attribute', '<i data-pagefind-meta="hero[src]" src="/hero.png"></i>', { hero: '/hero.png' }],
    ['several attributes', '<i data-pagefind-meta="a[src], b[alt]" src="x" alt="Y z"></i>', { a: 'x', b: 'Y z' }],
    ['a value', '<p data-pagefind-meta="date:2022-06-01"></p>', { date: '2022-06-01' }],
    [
      'all of them, the value at the end with commas and colons',
      '<a title="Homepage" data-pagefind-meta="link_text, link_title[title], other:Freeform text, captured: to the end">Hello World</a>',
      { link_text: 'Hello World', link_title: 'Homepage', other: 'Freeform text, captured: to the end' },
    ],
    ['the last of the same name', '<p data-pagefind-meta="a:1"></p><p data-pagefind-meta="a:2"></p>', { a: '2' }],
    [
      'a default, which gives way',
      '<p data-pagefind-default-meta="a:1, 2"></p><p data-pagefind-meta="a:3"></p>',
      { a: '3' },
    ],
    ['a default', '<p data-pagefind-default-meta="a:1"></p>', { a: '1' }],
    ['nothing without a name', '<p data-pagefind-meta=""></p><p data-pagefind-meta=":x"></p>', {}],
    ['a name that objects have', '<p data-pagefind-meta="__proto__:x"></p>', JSON.parse('{"__proto__": "x"}')],
  ])('takes %s', (_, html, expected) => expect(read(html).meta).toEqual(expected));

  test('also outside of the body', () => {
    const html = '<head><meta data-pagefind-meta="a[content]" content="b"></head><main data-pagefind-body>x</main>';
    expect(read(html).meta).toEqual({ a: 'b' });
  });

  test('the image is the first after the h1, unless the page names one', () => {
    const html = '<img src="logo.png"><h1>T</h1><img src="one.png" alt="One"><img src="two.png">';
    expect(read(html).meta).toEqual({ image: 'one.png', image_alt: 'One' });
    const named = '<h1>T</h1><img src="one.png" alt="One"><img src="two.png" data-pagefind-meta="image[src]">';
    expect(read(named).meta).toEqual({ image: 'two.png' });
  });

  test('title is the title of the page', () => {
    const { titles, meta } = read('<title>T</title><h1>H</h1><p data-pagefind-meta="title">Given</p>');
    expect([titles, meta]).toEqual([{ given: 'Given', own: 'T', heading: 'H' }, {}]);
  });
});

test('data-pagefind-filter collects values, each once', () => {
  const html = `
    <span data-pagefind-filter="author">CloudCannon</span> <span data-pagefind-filter="author">Liam Bigelow</span>
    <h1 data-section="Documentation" data-category="Article"
      data-pagefind-filter="heading, tag[data-section], tag[data-category], author:CloudCannon">Hello World</h1>`;
  expect(read(html).filters).toEqual({
    author: ['CloudCannon', 'Liam Bigelow'],
    heading: ['Hello World'],
    tag: ['Documentation', 'Article'],
  });
});

test('data-pagefind-sort has one value for each name', () => {
  const html =
    '<h1 data-weight="10" data-pagefind-sort="heading, weight[data-weight], date:2022-06-01">Hello World</h1>';
  expect(read(html).sort).toEqual({ heading: 'Hello World', weight: '10', date: '2022-06-01' });
});

test('data-pagefind-weight is that of the passages in the element', () => {
  const html = `
    <p>Usual.</p><div data-pagefind-weight="2"><p>Twice.</p><p data-pagefind-weight="0.5">Half.</p></div><p>Usual again.</p>
    <p data-pagefind-weight="99">Most.</p><p data-pagefind-weight="none">No weight.</p><p data-pagefind-weight="0">Nothing.</p>`;
  const [{ passages }] = read(html).sections;
  expect(passages.map(({ text, weight }) => [text, weight])).toEqual([
    ['Usual.', 1],
    ['Twice.', 2],
    ['Half.', 0.5],
    ['Usual again.', 1],
    ['Most.', 10],
    ['No weight.', 1],
  ]);
});

test('data-pagefind-index-attrs adds attributes as sentences', () => {
  const html = `
    <h1 id="c">Condimentum Nullam</h1>
    <img src="/hero.png" title="Image Title" alt="Image Alt" data-pagefind-index-attrs="title,alt" />
    <p>Nullam id dolor id nibh ultricies.</p>`;
  expect(textOf(html)).toBe('Image Title. Image Alt.\nNullam id dolor id nibh ultricies.');
});
