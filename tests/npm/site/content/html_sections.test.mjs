// The sections of pages: excerpts from the output of generators, with the sections that a reader would name.
import { outline, read, textOf } from './read_html.mjs';

describe('the anchor of a heading is', () => {
  const sections = (html) => outline(`<main>${html}</main>`);

  test.each([
    ['its id', '<h2 id="a">T</h2>x'],
    ['the id of a link in it', '<h2><a id="a"></a>T</h2>x'],
    ['the name of a link in it', '<h2><a name="a">T</a></h2>x'],
    ['that of the section which it opens', '<section id="a"><h2>T</h2>x</section>'],
    ['that of the section which it opens, elements between', '<div id="a"><div><div><h2>T</h2></div></div>x</div>'],
    ['that of the innermost one', '<div id="b"><div id="a"><h2>T</h2>x</div></div>'],
    ['that of an empty element before it', '<a name="a"></a>\n<h2>T</h2>x'],
    ['its own rather than others', '<div id="b"><h2 id="a"><i id="c">T</i></h2>x</div>'],
  ])('%s', (_, html) => expect(sections(html)).toEqual([['a', 'T', '', 'x']]));

  test('not that of an element with text before it', () => {
    expect(sections('<div id="b"><p>Before.</p><h2>T</h2>x</div>')).toEqual([['', '', '', 'Before.\nT\nx']]);
  });

  test('that of the section above if an id is taken: links lead to the first', () => {
    expect(
      sections('<h2 id="a">A</h2>x<h3 id="b">B</h3>y<h3 id="a">C</h3>z').map(([anchor, title]) => [anchor, title]),
    ).toEqual([
      ['a', 'A'],
      ['b', 'B'],
      ['a', 'C'],
    ]);
  });
});

test("a section's trail is the headings above it", () => {
  const html = '<h1 id="a">A</h1><h2 id="b">B</h2><h4 id="d">D</h4>x<h3 id="c">C</h3>y<h2 id="e">E</h2>z';
  expect(outline(html).map(([anchor, , trail]) => [anchor, trail])).toEqual([
    ['a', ''],
    ['b', 'A'],
    ['d', 'A > B'],
    ['c', 'A > B'],
    ['e', 'A'],
  ]);
});

test('DocBook: ids of divs, titles in a titlepage, terms with an id, and notes that are not sections', () => {
  const html = `
    <body class="c"><div class="navheader"><table><tr><th>13.3. Explicit Locking</th></tr></table></div>
    <div class="sect1" id="EXPLICIT-LOCKING"><div class="titlepage"><div><div><h2 class="title">13.3.&nbsp;Explicit
    Locking</h2></div></div></div><div class="toc"><dl><dt><a href="#LOCKING-TABLES">13.3.1. Table-Level Locks</a></dt></dl></div>
    <a id="id-1.5" class="indexterm"></a><p>Modes.</p>
    <div class="sect2" id="LOCKING-TABLES"><div class="titlepage"><h3 class="title">13.3.1.&nbsp;Table-Level Locks</h3></div>
    <dl class="variablelist"><dt id="GUC-A"><span class="term"><code>work_mem</code> (<code>integer</code>)
    <a id="id-1.6" class="indexterm"></a></span></dt><dd><p>Sets the memory.</p>
    <div class="note"><h3 class="title">Note</h3><p>Beware.</p></div></dd>
    <dt><span class="term">no id</span></dt><dd><p>Not a section.</p></dd></dl>
    <p>After the list.</p></div></div><div class="navfooter">Next</div>`;
  expect(outline(html)).toEqual([
    ['EXPLICIT-LOCKING', '13.3. Explicit Locking', '', 'Modes.'],
    ['LOCKING-TABLES', '13.3.1. Table-Level Locks', '13.3. Explicit Locking', 'no id\nNot a section.\nAfter the list.'],
    [
      'GUC-A',
      'work_mem (integer)',
      '13.3. Explicit Locking > 13.3.1. Table-Level Locks',
      'Sets the memory.\nNote\nBeware.',
    ],
  ]);
});

test('Sphinx: ids of sections, links of headings to themselves, and definitions with an id', () => {
  const html = `
    <div class="document"><div class="body" role="main"><section id="module-hashlib"><span id="x"></span>
    <h1>hashlib — Secure hashes<a class="headerlink" href="#module-hashlib" title="Permalink">¶</a></h1><p>Intro.</p>
    <dl class="py class"><dt class="sig" id="hashlib.blake2b"><em>class</em> <span>hashlib.</span><span>blake2b</span>(<em>data</em>,
    <em>*</em>)<a class="headerlink" href="#hashlib.blake2b">¶</a></dt><dd><p>The class.</p>
    <dl class="py method"><dt class="sig" id="hashlib.blake2b.update"><span>update</span>(<em>data</em>)</dt><dd><p>Adds.</p></dd></dl>
    <p>More of the class.</p></dd>
    <dt id="a.sin">sin(x)</dt><dt id="a.cos">cos(x)</dt><dd>Both.</dd></dl><p>The end.</p></section></div></div><div class="sphinxsidebar">Menu</div>`;
  const top = 'hashlib — Secure hashes';
  expect(outline(html)).toEqual([
    ['module-hashlib', top, '', 'Intro.\nThe end.'],
    [
      'hashlib.blake2b',
      'class hashlib.blake2b()',
      top,
      'class hashlib.blake2b(data, *)\nThe class.\nMore of the class.',
    ],
    ['hashlib.blake2b.update', 'update()', `${top} > class hashlib.blake2b()`, 'update(data)\nAdds.'],
    ['a.sin', 'sin(), cos()', top, 'sin(x)\ncos(x)\nBoth.'],
  ]);
});

test("Apache's manual: ids of headings, two of them in one, a symbol as link, tables of properties", () => {
  const html = `
    <div id="page-header"><p class="menu">Modules | FAQ</p></div><div id="page-content">
    <div id="preamble"><h1>Apache Module mod_unixd</h1><div class="toplang"><p>Available Languages: en | fr</p></div>
    <table class="module"><tr><th><a href="d.html">Description:</a></th><td>Basic security</td></tr>
    <tr><th>Status:</th><td>Base</td></tr></table></div>
    <div class="directive-section"><h2 id="chrootdir"><span id="ChrootDir">ChrootDir</span> Directive
    <a title="Permanent link" href="#chrootdir" class="permalink">&para;</a></h2><p>It changes.</p>
    <div class="example"><h3>Example</h3><pre>ChrootDir /x</pre></div></div></div><div id="footer">Copyright</div>`;
  const title = 'Apache Module mod_unixd';
  expect(outline(html)).toEqual([
    ['preamble', title, '', 'Description: | Basic security\nStatus: | Base'],
    ['chrootdir', 'ChrootDir Directive', title, 'It changes.\nExample\nChrootDir /x'],
  ]);
});

test.each([
  ['main', '<nav>Menu</nav><main><p>Text.</p></main><p>Other.</p>'],
  ['role="main"', '<p>Other.</p><div role="main"><p>Text.</p></div>'],
  ['article', '<p>Other.</p><article><p>Text.</p></article>'],
  ['a common id', '<a id="main"></a><p>Other.</p><div id="content"><p>Text.</p></div>'],
  [
    'the body without what surrounds it',
    '<header>Name</header><nav>Menu</nav><aside>Ad</aside><div role="contentinfo">C</div><p>Text.</p><footer>C</footer>',
  ],
])('the content is %s', (_, html) => expect(textOf(html)).toBe('Text.'));

test('headers and asides of an article belong to it', () => {
  expect(textOf('<main><header><p>Lead.</p></header><aside>Note.</aside></main>')).toBe('Lead.\nNote.');
});

test('scripts, styles, forms, hidden elements and pictures have no text', () => {
  const html = `<p>One<script>a()</script><style>b{}</style><noscript>c</noscript><template>d</template><svg><title>e</title></svg>
    <button>f</button><select><option>g</option></select><textarea>h</textarea><span hidden>i</span><i aria-hidden="true">j</i>
    <span class="sr-only">k</span><iframe>l</iframe><!-- m --> two.</p>`;
  expect(textOf(html)).toBe('One two.');
  expect(textOf('<div role="tabpanel" hidden>Other tab.</div>')).toBe('Other tab.');
});

test('inline elements do not separate words, all others do', () => {
  expect(textOf('<p>a<b>b</b><a href="x">c</a>d<br>e</p><ul><li>f<li>g</ul><my-box>h</my-box><my-box>i</my-box>')).toBe(
    'abcd e\nf\ng\nh i',
  );
});

test('code keeps its lines, and is a separate passage if it is long', () => {
  const line = 'let value = compute(first, second, third);';
  const html = `<p>Text.</p><pre><code><span class="linenos">1</span>a = 1\n  b = 2\n</code></pre>
    <pre>${`${line}\n`.repeat(6)}</pre><pre><code><div class="line">x</div><div class="line">y</div></code></pre>`;
  const [{ passages }] = read(html).sections;
  expect(passages).toEqual([
    { text: 'Text.\na = 1\n  b = 2', isCode: false, weight: 1 },
    { text: `${Array(6).fill(line).join('\n')}\nx\ny`, isCode: true, weight: 1 },
  ]);
});

test('markup in titles is text', () => {
  const html = '<h2 id="a">&lt;img src=x onerror=alert(1)&gt; <b>T</b></h2>x';
  expect(outline(html)).toEqual([['a', '<img src=x onerror=alert(1)> T', '', 'x']]);
});
