// Comments cite pages and their sections: docs/formats/amb.md, "Weights". Each of them is there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const plain = (text) => text.replaceAll('`', '').trim();
const headings = (page) =>
  readFileSync(root + page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => plain(line.replace(/^#+/, '')));

/** [page, section or undefined] of all citations in a source file, also where a line of a comment ends in one. */
function citationsIn(source) {
  const joined = source.replace(/\n\s*(\/\/|\*) ?/g, ' ');
  const citations = [...joined.matchAll(/(?<![\w/'])(docs\/[\w/-]+\.md)((?:,? (?:and )?"[^"\n]+")*)/g)];
  return citations.flatMap(([, page, sections]) => {
    const named = [...sections.matchAll(/"([^"]+)"/g)].map(([, section]) => [page, section]);
    return named.length === 0 ? [[page]] : named;
  });
}

const missing = (citations) =>
  citations.filter(
    ([page, section]) => !existsSync(root + page) || (section && !headings(page).includes(plain(section))),
  );

test('cited sections exist', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'bindings', 'npm/src', 'tests'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => /\.(cc|h|ts|mjs)$/.test(file) && !file.endsWith('citations.test.mjs'));
  const all = files.flatMap((file) => citationsIn(readFileSync(root + file, 'utf8')));
  expect(all.length).toBeGreaterThan(50);
  expect(missing(all)).toEqual([]);
});

test('a missing page or section is found', () => {
  const source = '// As docs/formats/amb.md, "Weights"\n// and "No such section" say; docs/formats/none.md.';
  expect(missing(citationsIn(source))).toEqual([['docs/formats/amb.md', 'No such section'], ['docs/formats/none.md']]);
});
