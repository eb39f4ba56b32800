// buildSite: which pages of a folder are searched, what is written, and what the next build reads again.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { buildSite, createSiteIndex, openSite } from 'quintet/site';
import { scratchFolder } from '../../helpers/quintet.mjs';

const scratch = scratchFolder();
let sites = 0;

/** A folder with these files; `build` builds it by words alone. */
function makeSite(files) {
  const dir = scratch(`site-${sites++}`);
  mkdirSync(dir);
  const write = (name, content) => {
    mkdirSync(dirname(`${dir}/${name}`), { recursive: true });
    writeFileSync(`${dir}/${name}`, content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return { dir, write, build: (options) => buildSite({ dir, cache: `${dir}-cache`, model: false, ...options }) };
}

const page = (title, text, head = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><p>${text}</p></main></body></html>`;

async function found(dir, text, options) {
  const site = await openSite(dir, options);
  try {
    return (await site.search(text)).map(({ url }) => url);
  } finally {
    site.close();
  }
}

/** Names and contents of all files. */
const contents = (dir) =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [
        `${parentPath}/${name}`.slice(dir.length),
        readFileSync(`${parentPath}/${name}`, 'base64'),
      ]),
  );

test('a folder of HTML is found by its words, with addresses relative to it', async () => {
  const { dir, build } = makeSite({
    'index.html': page('Start', 'Welcome.'),
    'guide/a b#c?.html': page('Guide', 'About zebras.'),
    'notes.md': 'No page: zebras',
    '.hidden/x.html': page('Hidden', 'zebras'),
    'data.json': '"zebras"',
  });
  const report = await build();
  expect(report).toMatchObject({
    out: `${dir}/search`,
    pages: 2,
    sections: 2,
    passages: 2,
    leftOut: [],
    withoutText: [],
  });
  expect(report.languages).toEqual([{ lang: 'en', pages: 2, sections: 2, passages: 2 }]);
  expect(await found(`${dir}/search`, 'zebras')).toEqual(['guide/a%20b%23c%3F.html']);
  expect(existsSync(`${dir}/search/quintet-search.js`)).toBe(true);
  expect(report.visit.first).toBeGreaterThan(report.visit.scripts);
});

test('a folder of Markdown', async () => {
  const { dir, build } = makeSite({ 'README.md': '# Start\n\nWelcome.', 'guide/zebra.md': '# Zebra\n\nStripes.' });
  expect((await build()).pages).toBe(2);
  expect(await found(`${dir}/search`, 'stripes')).toEqual(['guide/zebra.html']);
  expect(await found(`${dir}/search`, 'welcome')).toEqual(['index.html']);
});

test('pages are left out for a reason', async () => {
  const robots = '<meta name="robots" content="noindex">';
  const { dir, write, build } = makeSite({
    'a.html': page('A', 'First.'),
    'b.html': page('A', 'First.'),
    'c.html': page('C', 'Third.', '<link rel="canonical" href="https://example.org/docs/a.html">'),
    'd.html': page('D', 'Fourth.', '<link rel="canonical" href="https://example.org/docs/d">'),
    'e.html': page('E', 'Fifth.', robots),
    'f.html': '<meta http-equiv="refresh" content="0; url=a.html"><title>Redirecting</title>',
    'g.html': '<body></body>',
    'h.html': page('H', 'x', '<link rel="canonical" href="https://elsewhere.org/a.html">'),
    '404.html': page('Not found', 'Nothing here.'),
  });
  symlinkSync('a.html', `${dir}/link.html`);
  symlinkSync('.', `${dir}/loop`);
  symlinkSync('/', `${dir}/outside`);
  write('large.html', page('Large', 'x'));
  truncateSync(`${dir}/large.html`, 100_000_000);
  const report = await build();
  expect(Object.fromEntries(report.leftOut.map(({ url, reason }) => [url, reason]))).toEqual({
    '404.html': 'is the page for missing addresses',
    'link.html': 'a link',
    'large.html': 'is larger than 10 MB: 100.0 MB',
    'b.html': 'has the same text as a.html',
    'c.html': 'is a copy of a.html, its canonical page',
    'e.html': 'asks not to be indexed',
    'f.html': 'leads to another page',
    'g.html': 'has no text',
  });
  expect(report.pages).toBe(3);
});

test('if one page marks its content, pages that do not are left out', async () => {
  const { build } = makeSite({ 'a.html': '<p data-pagefind-body>One.</p>', 'b.html': '<p>Two.</p>' });
  expect((await build()).leftOut).toEqual([{ url: 'b.html', reason: 'has no data-pagefind-body, as others do' }]);
});

test('pages of several languages are separate, and those without a language belong to the most frequent one', async () => {
  const { dir, build } = makeSite({
    'de/a.html': '<html lang="de"><title>A</title><main>Katze</main>',
    'de/b.html': '<html lang="de"><title>B</title><main>Hund</main>',
    'fr/a.html': '<html lang="fr"><title>A</title><main>chat</main>',
    'x.html': '<title>X</title><main>Maus</main>',
  });
  expect((await build()).languages.map(({ lang, pages }) => [lang, pages])).toEqual([
    ['de', 3],
    ['fr', 1],
  ]);
  expect(await found(`${dir}/search`, 'Maus', { lang: 'de' })).toEqual(['x.html']);
  const report = await build({ lang: 'nl', cache: false });
  expect(report.languages.map(({ lang }) => lang).sort()).toEqual(['de', 'fr', 'nl']);
});

test.each([
  ['Der Hund und die Katze sind nicht mit der Maus auf einem Haus.', 'de'],
  ['Le chien est dans la maison avec les chats que vous aimez pour une heure.', 'fr'],
  ['これは日本語の文章です。', 'ja'],
  ['한국어 문장입니다.', 'ko'],
  ['x = 1', 'en'],
])('the language of %s is guessed', async (text, lang) => {
  const { build } = makeSite({ 'index.html': `<title>T</title><main>${text}</main>` });
  expect((await build({ cache: false })).languages[0].lang).toBe(lang);
});

test("two builds write the same bytes, with and without the first one's cache", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`p${i}.html`, page(`Page ${i}`, `Text number ${i}.`)]),
  );
  const { dir, build } = makeSite(files);
  const first = await build();
  const before = contents(`${dir}/search`);
  const second = await build();
  expect([first.unchangedPages, second.unchangedPages]).toEqual([0, 30]);
  expect(contents(`${dir}/search`)).toEqual(before);
  await build({ cache: false });
  expect(contents(`${dir}/search`)).toEqual(before);
});

test('a changed page is read again; the folder keeps other files and nothing of the last index', async () => {
  const { dir, write, build } = makeSite({ 'a.html': page('A', 'Lions.'), 'b.html': page('B', 'Tigers.') });
  await build();
  const folders = () => readdirSync(`${dir}/search`).filter((name) => /^en-/.test(name));
  const [before] = folders();
  writeFileSync(`${dir}/search/mine.txt`, 'mine');
  write('a.html', page('A', 'Bears.'));
  expect((await build()).unchangedPages).toBe(1);
  expect(await found(`${dir}/search`, 'lions')).toEqual([]);
  expect(await found(`${dir}/search`, 'bears')).toEqual(['a.html']);
  expect(folders()).toHaveLength(1);
  expect(folders()[0]).not.toBe(before);
  expect(readFileSync(`${dir}/search/mine.txt`, 'utf8')).toBe('mine');
  expect(readdirSync(`${dir}/search`).filter((name) => name.startsWith('.'))).toEqual([]);
  const rebuilt = contents(`${dir}/search`);
  await build({ cache: false });
  expect(contents(`${dir}/search`)).toEqual(rebuilt);
});

test.each([
  ['cut', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['overwritten', (bytes) => bytes.map((byte) => byte ^ 0x55)],
])("the last build's cache may be %s", async (_, damage) => {
  const { dir, build } = makeSite({ 'a.html': page('A', 'Lions.'), 'b.html': page('B', 'Tigers.') });
  await build();
  const before = contents(`${dir}/search`);
  writeFileSync(`${dir}-cache/pages`, damage(readFileSync(`${dir}-cache/pages`)));
  await build();
  expect(contents(`${dir}/search`)).toEqual(before);
});

test('the output folder may be elsewhere, and is not read when it is in the site', async () => {
  const { dir, write, build } = makeSite({ 'a.html': page('A', 'Lions.') });
  write('find/demo.html', page('Demo', 'Not a page of the site.'));
  expect((await build({ out: `${dir}/find` })).pages).toBe(1);
});

test('an abort leaves the index as it was', async () => {
  const { dir, write, build } = makeSite({ 'a.html': page('A', 'Lions.') });
  await build();
  const before = contents(`${dir}/search`);
  write('a.html', page('A', 'Bears.'));
  const stop = new AbortController();
  const onProgress = ({ stage }) => {
    if (stage === 'writing') stop.abort();
  };
  await expect(build({ signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(contents(`${dir}/search`)).toEqual(before);
});

test('createSiteIndex takes folders, pages and records', async () => {
  const { dir } = makeSite({ 'a.html': page('A', 'Lions.') });
  const out = `${dir}-out`;
  const index = createSiteIndex({ model: false, cache: false, lang: 'en' })
    .addDirectory(dir)
    .addHtml({ url: '/b.html', content: page('B', 'Tigers é.') })
    .addRecord({
      url: 'files/report.pdf',
      title: 'Report',
      content: 'Annual figures.\n\nOf zebras.',
      meta: { author: 'A' },
      filters: { kind: ['pdf'] },
      sort: { date: '2026' },
    })
    .addRecord({ url: 'a.html', content: 'Again.' });
  const report = await index.write(out);
  expect([report.pages, report.leftOut]).toEqual([3, [{ url: 'a.html', reason: 'was added before' }]]);
  expect(await found(out, 'é')).toEqual(['b.html']);
  const site = await openSite(out);
  const [hit] = await site.search('zebras');
  expect(hit).toMatchObject({ url: 'files/report.pdf', title: 'Report', meta: { author: 'A' } });
  site.close();
});

test.each([
  ['no folder', () => buildSite({ dir: scratch('nowhere'), model: false }), 'IO'],
  ['no options', () => buildSite(), 'INPUT'],
  ['an unknown option', () => buildSite({ dir: '.', output: 'x' }), 'INPUT'],
  ['a language that is none', () => buildSite({ dir: '.', lang: 'English!' }), 'INPUT'],
])('%s is an error', async (_, build, code) => {
  await expect((async () => build())()).rejects.toMatchObject({ name: 'QuintetError', code });
});

test.each([
  [{ content: 'x' }, "the field 'url'"],
  [{ url: 'a' }, "the field 'content'"],
  [{ url: 'a', content: 'x', filters: { a: 'b' } }, "the field 'filters'"],
  [{ url: 'a', content: 'x', meta: { a: 1 } }, "the field 'meta'"],
  [{ url: 'a', content: 'x', tags: [] }, "no field 'tags'"],
  [null, 'must be an object'],
])('the record %j is rejected', (record, message) => {
  expect(() => createSiteIndex().addRecord(record)).toThrow(message);
});

afterAll(() => rmSync(scratch('.'), { recursive: true, force: true }));
