// `quintet images` as a child process: an index of pictures that is built, brought up to date and searched.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clip, cosine, dinov2, siglip, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { expectRefusal, fixture, jsonLines, quintet, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const wide = fixture('vision/images/wide.png');
const tall = fixture('vision/images/tall.png');
const photo = fixture('vision/images/photo444.jpg');

/** A folder with three pictures and what else people have there. */
function photosIn(name) {
  const at = (path) => scratch(`${name}/photos/${path}`);
  mkdirSync(at('2024/beach'), { recursive: true });
  mkdirSync(at('.thumbnails'));
  copyFileSync(wide, at('wide.png'));
  copyFileSync(tall, at('2024/TALL.PNG'));
  copyFileSync(photo, at('2024/beach/a & b.jpeg'));
  copyFileSync(wide, at('.thumbnails/wide.png'));
  writeFileSync(at('notes.txt'), 'no picture');
  writeFileSync(at('film.webp'), 'of a kind that is not read');
  return at;
}

const index = (name, ...args) =>
  quintet(['images', 'index', 'photos', '--out', 'photos.qix', '--model', clip, ...args], { cwd: scratch(name) });
const search = (name, ...args) =>
  quintet(['images', 'search', 'photos.qix', '--model', clip, ...args], { cwd: scratch(name) });
const reportOf = ({ stdout }) => {
  const [{ seconds, ...report }] = jsonLines(stdout);
  expect(seconds).toBeGreaterThanOrEqual(0);
  return report;
};
const all = ['photos/2024/TALL.PNG', 'photos/2024/beach/a & b.jpeg', 'photos/wide.png'];
const none = { added: 0, changed: 0, removed: 0, broken: [], left: 0 };

test('a folder is indexed, and its pictures are found by words', async () => {
  photosIn('words');
  const built = await index('words');
  expect(built).toMatchObject({ status: 0, stderr: '1 picture left out: only JPEG and PNG files are read\n' });
  expect(built.stdout).toMatch(/^photos\.qix: 3 pictures \(3 new; \d+\.\d pictures\/s\)\n$/);

  const [{ query, hits }] = jsonLines((await search('words', 'a red truck', '--json')).stdout);
  expect(query).toBe('a red truck');
  expect(hits.map(({ path }) => path).sort()).toEqual(all);
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  await withEmbedder(clip, {}, async (embedder) => {
    const text = await embedder.embedText('a red truck');
    for (const { path, score } of hits) {
      const vector = await embedder.embedImage(readFileSync(scratch(`words/${path}`)));
      expect(score).toBeCloseTo(cosine(text, vector), 5);
    }
  });
  const { status, stdout, stderr } = await search('words', 'a red truck', '-k', '1');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(`${hits[0].score.toFixed(4)}  ${hits[0].path}\n`);
});

test('a picture finds itself, and a page shows the hits', async () => {
  photosIn('page');
  await index('page', '--quiet');
  const found = await search('page', '--image', photo, '--json', '--html', 'hits.html');
  const [{ image, hits }] = jsonLines(found.stdout);
  expect(image).toBe(photo);
  expect(hits).toHaveLength(3);
  expect(hits[0].path).toBe('photos/2024/beach/a & b.jpeg');
  expect(hits[0].score).toBeCloseTo(1, 5);
  const page = readFileSync(scratch('page/hits.html'), 'utf8');
  expect(page).toContain('<img src="photos/2024/beach/a%20%26%20b.jpeg"');
  expect(page).toContain('photos/2024/beach/a &#38; b.jpeg</figcaption>');
  expect(page.match(/<figure>/g)).toHaveLength(3);
});

test('only what is new or has changed is embedded again', async () => {
  const at = photosIn('update');
  expect(reportOf(await index('update', '--json'))).toEqual({
    ...none,
    index: 'photos.qix',
    pictures: 3,
    added: 3,
  });
  expect(reportOf(await index('update', '--json'))).toMatchObject({ ...none, pictures: 3 });
  expect((await index('update', '--quiet')).stdout).toBe('photos.qix: 3 pictures, nothing changed\n');

  copyFileSync(tall, at('new.png'));
  copyFileSync(photo, at('wide.png'));
  utimesSync(at('2024/beach/a & b.jpeg'), 1, 1);
  rmSync(at('2024/TALL.PNG'));
  const report = reportOf(await index('update', '--json'));
  expect(report).toMatchObject({ ...none, pictures: 3, added: 1, changed: 2, removed: 1 });
  const [{ hits }] = jsonLines((await search('update', '--image', photo, '--json')).stdout);
  expect(
    hits
      .slice(0, 2)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(all.slice(1));
});

test('broken pictures are reported and skipped', async () => {
  const at = photosIn('broken');
  writeFileSync(at('wide.png'), 'text');
  writeFileSync(at('zero.jpg'), '');
  const { status, stdout, stderr } = await index('broken');
  expect(status).toBe(1);
  expect(stdout).toMatch(/^photos\.qix: 2 pictures \(2 new, 2 broken; /);
  expect(stderr).toMatch(/^quintet: photos\/wide\.png: an image is neither a JPEG nor a PNG file$/m);
  expect(stderr).toMatch(/^quintet: photos\/zero\.jpg: /m);
  const report = reportOf(await index('broken', '--json'));
  expect(report).toMatchObject({ pictures: 2, added: 0 });
  expect(report.broken.map(({ path, code }) => [path, code])).toEqual([
    ['photos/wide.png', 'FORMAT'],
    ['photos/zero.jpg', expect.any(String)],
  ]);
  // A picture that breaks is not found any more.
  writeFileSync(at('2024/TALL.PNG'), 'text');
  expect(reportOf(await index('broken', '--json'))).toMatchObject({ pictures: 1 });
});

test('a folder and its index move together, and a second folder is added', async () => {
  photosIn('before');
  await index('before', '--quiet');
  renameSync(scratch('before'), scratch('after'));
  cpSync(scratch('after/photos'), scratch('after/more'), { recursive: true });
  expect(reportOf(await index('after', '--json'))).toMatchObject({ ...none, pictures: 3 });
  const more = ['images', 'index', 'more', '--out', 'photos.qix', '--model', clip, '--json'];
  expect(reportOf(await quintet(more, { cwd: scratch('after') }))).toMatchObject({ ...none, added: 3, pictures: 6 });
  const elsewhere = await quintet(['images', 'search', scratch('after/photos.qix'), 'a', '--model', clip, '--json']);
  for (const { path } of jsonLines(elsewhere.stdout)[0].hits) expect(readFileSync(path).length).toBeGreaterThan(0);
});

test('a model without a text tower finds pictures by pictures', async () => {
  photosIn('dino');
  const args = ['--model', dinov2];
  await quintet(['images', 'index', 'photos', '--out', 'd.qix', ...args], { cwd: scratch('dino') });
  const options = { cwd: scratch('dino') };
  const found = await quintet(['images', 'search', 'd.qix', '--image', photo, '-k', '1', ...args], options);
  expect(found.stdout).toBe('1.0000  photos/2024/beach/a & b.jpeg\n');
  expectRefusal(await quintet(['images', 'search', 'd.qix', 'a dog', ...args], options), /text/);
});

describe('mistakes', () => {
  beforeAll(async () => {
    photosIn('refused');
    await index('refused', '--quiet');
    mkdirSync(scratch('refused/empty'));
    writeFileSync(scratch('refused/other.qix'), 'something else');
  });
  const at = (...args) => quintet(['images', ...args], { cwd: scratch('refused') });
  const model = ['--model', clip];

  test.each([
    ['no command', ['find'], /images: unknown command 'find'; did you mean 'index'\?|unknown command 'find'/],
    ['no folder', ['index', '--out', 'a.qix', ...model], /DIR is missing/],
    ['no file', ['index', 'photos', ...model], /--out is missing/],
    ['no model', ['index', 'photos', '--out', 'a.qix'], /--model is missing/],
    ['a folder that is absent', ['index', 'absent', '--out', 'a.qix', ...model], /cannot read the folder absent/],
    ['a folder without pictures', ['index', 'empty', '--out', 'a.qix', ...model], /empty has no JPEG or PNG files/],
    ['a file in a folder that is absent', ['index', 'photos', '--out', 'no/a.qix', ...model], /no folder no for/],
    ['a file that is no index', ['index', 'photos', '--out', 'other.qix', ...model], /not an index of pictures/],
    ['another model', ['index', 'photos', '--out', 'photos.qix', '--model', siglip], /built with another model/],
    ['a search with another model', ['search', 'photos.qix', 'a', '--model', siglip], /built with another model/],
    ['no index', ['search', ...model], /INDEX is missing/],
    ['no query', ['search', 'photos.qix', ...model], /QUERY is missing/],
    ['a query and a picture', ['search', 'photos.qix', 'a', '--image', photo, ...model], /cannot be used together/],
    ['an index that is absent', ['search', 'none.qix', 'a', ...model], /there is no index none\.qix/],
    ['a picture that is absent', ['search', 'photos.qix', '--image', 'no.jpg', ...model], /cannot read no\.jpg/],
    ['a picture that is none', ['search', 'photos.qix', '--image', 'other.qix', ...model], /other\.qix: an image/],
    ['no hits', ['search', 'photos.qix', 'a', '-k', '0', ...model], /--top-k/],
  ])('%s', async (_, args, pattern) => {
    expectRefusal(await at(...args, '--quiet'), pattern);
  });
});

test('pictures of a time are found, and shown in a browser', async () => {
  const at = photosIn('dated');
  copyFileSync(fixture('vision/images/dated_big_endian.jpg'), at('2023.jpg'));
  await index('dated', '--quiet');
  const hitsOf = async (taken) => jsonLines((await search('dated', 'a', '--json', '--taken', taken)).stdout)[0].hits;
  for (const taken of ['2023', '2023-07', '2023-07-14'])
    expect(await hitsOf(taken)).toEqual([
      { path: 'photos/2023.jpg', score: expect.any(Number), taken: '2023-07-14T18:03:22' },
    ]);
  expect(await hitsOf('2024')).toEqual([]);
  expectRefusal(await search('dated', 'a', '--taken', 'July'), /--taken takes a year, a month or a day, .*'July'/);

  // A stand-in for the desktop's program of this name, and a pipe to which it writes its argument.
  const given = scratch('dated/given');
  execFileSync('mkfifo', [given]);
  writeFileSync(scratch('dated/xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${given}'\n`, { mode: 0o755 });
  const opened = readFile(given, 'utf8');
  const shown = await quintet(['images', 'search', 'photos.qix', 'a', '--model', clip, '--taken', '2023', '--open'], {
    cwd: scratch('dated'),
    env: { PATH: `${scratch('dated')}:${process.env.PATH}` },
  });
  expect(shown).toMatchObject({ status: 0, stderr: '' });
  const page = fileURLToPath(await opened);
  const html = readFileSync(page, 'utf8');
  rmSync(dirname(page), { recursive: true });
  expect(html).toContain('2023.jpg<br>2023-07-14 18:03:22</figcaption>');
  const [, picture] = /<img src="([^"]+)"/.exec(html);
  expect(readFileSync(join(dirname(page), decodeURIComponent(picture))).length).toBe(963);
});
