// The files of an index: the same for the same pages, small, and of no harm when they are damaged.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { filesOf, folderOf, modelOf, openSite, page, section, urls, withSite } from './small_site.mjs';

const model = modelOf({
  car: [1, 0, 0, 0.1],
  automobile: [0.9, 0.1, 0, 0],
  tree: [0, 1, 0.2, 0],
  oak: [0.1, 0.9, 0.2, 0],
});
const pages = [
  page('car.html', 'Vehicles', 'A car has wheels.', { filters: { kind: ['machine'] }, sort: { year: '1886' } }),
  page('tree.html', 'Plants', 'A tree has leaves.', { filters: { kind: ['plant', 'tall'] }, sort: { year: '300' } }),
  page('both.html', 'Garages', 'A car is parked under a tree.', { filters: { kind: ['machine'] } }),
  ...Array.from({ length: 12 }, (_, i) => page(`p${i}.html`, `Page ${i}`, `Text ${i} of wheels and leaves.`)),
];

test('the same pages give the same bytes', async () => {
  const [one, other] = [await filesOf(pages, { model }), await filesOf(pages, { model })];
  expect([...one]).toEqual([...other]);
});

test('other pages give another folder', async () => {
  const folders = async (all) => new Set([...(await filesOf(all, { model })).keys()].map((name) => name.split('/')[0]));
  expect(await folders(pages)).not.toEqual(await folders(pages.slice(1)));
});

test('a word is found by its synonym', async () => {
  await withSite(
    pages,
    async (site) => {
      expect((await urls(site, 'automobile'))[0]).toBe('car.html');
      expect((await urls(site, 'oak'))[0]).toBe('tree.html');
      expect(await urls(site, 'automobile', { mode: 'keyword' })).toEqual([]);
    },
    { model },
  );
});

test('filters and their counts, sorting', async () => {
  await withSite(pages, async (site) => {
    expect(await site.filters()).toEqual({ kind: { machine: 2, plant: 1, tall: 1 } });
    const keyword = { mode: 'keyword' };
    expect(await urls(site, 'car', { ...keyword, filters: { kind: 'plant' } })).toEqual([]);
    expect((await urls(site, 'tree', { ...keyword, filters: { kind: ['plant', 'machine'] } })).sort()).toEqual([
      'both.html',
      'tree.html',
    ]);
    expect(await urls(site, 'wheels leaves', { ...keyword, sort: { year: 'asc' }, k: 2 })).toEqual([
      'tree.html',
      'car.html',
    ]);
    expect(await urls(site, 'wheels leaves', { ...keyword, sort: { year: 'desc' }, k: 2 })).toEqual([
      'car.html',
      'tree.html',
    ]);
  });
});

test.each([
  [{ k: 0 }, 'out_of_range'],
  [{ k: 1.5 }, 'out_of_range'],
  [{ mode: 'all' }, 'unknown_value'],
  [{ filters: { kind: 1 } }, 'wrong_type'],
  [{ sort: { year: 'up' } }, 'unknown_value'],
])('rejects %j', async (options, reason) => {
  await withSite(pages, (site) => expect(site.search('car', options)).rejects.toMatchObject({ code: 'INPUT', reason }));
});

test('texts of a large page are in several files, and a query loads only a few', async () => {
  const words = Array.from({ length: 3000 }, (_, i) => `word${(i * 7919) % 3001}`);
  const sections = Array.from({ length: 60 }, (_, i) =>
    section(`s${i}`, `Part ${i}`, words.slice(50 * i, 50 * i + 50).join(' ')),
  );
  const large = page('large.html', 'Large', '', { sections });
  const files = await filesOf([large]);
  const all = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  await withSite([large], async (site) => {
    const [hit] = await site.search(words[1234]);
    expect(hit.sections[0].anchor).toBe('s24');
    expect(site.bytes).toBeLessThan(all / 2);
  });
});

/** The outcome for an index whose files `change` has changed. */
async function changed(change, use) {
  const files = await filesOf(pages, { model });
  change(files);
  const { folder, remove } = await folderOf(files);
  try {
    return await use(folder);
  } finally {
    await remove();
  }
}
const named = (files, letter) => [...files.keys()].filter((name) => name.includes(`/${letter}`));

test.each(['c', 'm', 'r'])('words answer without the files %s, and the site says so', async (letter) => {
  await changed(
    (files) => named(files, letter).forEach((name) => files.delete(name)),
    async (folder) => {
      const site = await openSite(folder);
      expect((await urls(site, 'car'))[0]).toBe('car.html');
      expect(site.problem).toMatch(new RegExp(`/${letter}\\d+\\.bin`));
    },
  );
});

test.each([
  ['another version', '{"format": "quintet-site", "version": 99, "languages": []}', 'bad_version'],
  ['no JSON', '<!doctype html>', 'malformed'],
  ['other JSON', '[]', 'malformed'],
  [
    'a folder elsewhere',
    '{"format":"quintet-site","version":1,"languages":[{"lang":"en","folder":"../..","pages":1,"sections":1,"passages":1}]}',
    'malformed',
  ],
  [
    'too many sections',
    '{"format":"quintet-site","version":1,"languages":[{"lang":"en","folder":"a","pages":1,"sections":1e15,"passages":1}]}',
    'malformed',
  ],
  ...['../model', '/etc/passwd', 'file:///etc/passwd', 'a\\\\b', 'data:,x', ['a/../../b'], ['http://a/b'], [], 7].map(
    (model) => [
      `an embedder at ${JSON.stringify(model)}`,
      JSON.stringify({
        format: 'quintet-site',
        version: 1,
        languages: [],
        embedder: { name: 'e', folder: 'e', model },
      }),
      'malformed',
    ],
  ),
])('rejects a manifest with %s', async (_, text, reason) => {
  await changed(
    () => {},
    async (folder) => {
      await writeFile(join(folder, 'quintet-site.json'), text);
      await expect(openSite(folder)).rejects.toMatchObject({ code: 'FORMAT', reason });
    },
  );
});

test('a folder without an index', async () => {
  await expect(openSite('/nowhere/at/all')).rejects.toMatchObject({ code: 'IO', reason: 'not_found' });
});

test('a small file that becomes a huge one is not inflated', async () => {
  await changed(
    (files) => files.set(named(files, 'h')[0], deflateSync(Buffer.alloc(1 << 26))),
    (folder) => expect(openSite(folder)).rejects.toMatchObject({ code: 'FORMAT' }),
  );
});

test('any damage is a FORMAT error or has no effect', async () => {
  let seed = 1;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % below;
  };
  const damages = [
    (bytes) => void (bytes[random(bytes.length)] ^= 1 << random(8)),
    (bytes) => void (bytes[random(bytes.length)] = [0, 127, 128, 255][random(4)]),
    (bytes) => bytes.subarray(0, random(bytes.length)),
    (bytes) => Buffer.concat([bytes, Buffer.alloc(1 + random(9), random(256))]),
    (bytes) => bytes.fill(255, random(bytes.length)),
  ];
  const intact = await filesOf(pages, { model });
  const names = [...intact.keys()].filter((name) => name.endsWith('.bin'));
  const { folder, remove } = await folderOf(intact);
  try {
    for (let round = 0; round < 300; ++round) {
      const name = names[random(names.length)];
      // Content that is damaged before it is compressed passes the checksum.
      const content = Buffer.from(inflateSync(intact.get(name)));
      const damaged = damages[random(damages.length)](content) ?? content;
      const swapped = random(10) === 0 ? intact.get(names[random(names.length)]) : deflateSync(damaged);
      await writeFile(join(folder, name), random(8) === 0 ? damaged : swapped);
      try {
        const site = await openSite(folder);
        for (const query of ['car', 'automobilee tree', 'wheels leaves pa'])
          await site.search(query, { filters: { kind: [] } });
        await site.filters();
        site.close();
      } catch (error) {
        expect([error.name, error.code, error.message]).toEqual(['QuintetError', 'FORMAT', error.message]);
      }
      await writeFile(join(folder, name), intact.get(name));
    }
  } finally {
    await remove();
  }
});
