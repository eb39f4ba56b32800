// A site with the vectors of a transformer: the results once it is loaded, and those without it.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Embedder } from 'quintet';
import { buildSite, openSite } from 'quintet/site';
import { embedder } from '../../../../models/index.js';
import { scratchFolder } from '../../helpers/quintet.mjs';

const scratch = scratchFolder();

const texts = {
  bread: 'Mix flour and water with yeast, and bake the loaf until its crust is brown.',
  boat: 'With a strong wind the sailors cross the lake before noon.',
  cat: 'The kitten sleeps on the sofa all afternoon.',
  money: 'Interest rates rise when the central bank fights inflation.',
};
/** None of its words is on a page. */
const query = 'a pet taking naps';

const html = (title, text) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`;

function writePages(dir) {
  mkdirSync(dir, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(`${dir}/${name}.html`, html(name, text));
  return dir;
}

let dir;
let report;
beforeAll(async () => {
  dir = writePages(scratch('site'));
  report = await buildSite({ dir, cache: false, model: false, embedder: true });
});

async function withSite(folder, use) {
  const site = await openSite(folder);
  try {
    return await use(site);
  } finally {
    site.close();
  }
}

test('words answer first; with the embedder pages are in the order of their cosines', async () => {
  const model = await Embedder.load(embedder);
  const vectors = await model.embed(Object.entries(texts).map(([name, text]) => `${name}\n${text}`));
  const asked = await model.embedQuery(query);
  model.close();
  const mean = vectors[0].map((_, i) => vectors.reduce((sum, vector) => sum + vector[i] / vectors.length, 0));
  const cosine = (vector) => {
    const rest = vector.map((value, i) => value - mean[i]);
    return rest.reduce((sum, value, i) => sum + value * (asked[i] - mean[i]), 0) / Math.hypot(...rest);
  };
  const ranked = Object.keys(texts).map((name, i) => ({ url: `${name}.html`, cosine: cosine(vectors[i]) }));
  ranked.sort((a, b) => b.cosine - a.cosine);
  expect(ranked[0].url).toBe('cat.html');
  await withSite(`${dir}/search`, async (site) => {
    expect(await site.search(query)).toEqual([]);
    const loading = site.loadEmbedder();
    expect(site.loadEmbedder()).toBe(loading);
    expect((await site.search('inflation')).map(({ url }) => url)).toEqual(['money.html']);
    expect(await loading).toBe(true);
    const hits = await site.search(query);
    // The farthest passage counts nothing.
    expect(hits.map(({ url }) => url)).toEqual(ranked.slice(0, -1).map(({ url }) => url));
    expect(hits[0].excerpt.text).toBe(texts.cat);
    expect(await site.search(query, { mode: 'keyword' })).toEqual([]);
    expect(await site.search(' … ')).toEqual([]);
    expect(site.problem).toBe(undefined);
  });
});

test('the report names it, and its folder has the scripts and the model', () => {
  expect(report.embedder).toBe('quintet-models/embedder');
  const { embedder: entry } = JSON.parse(readFileSync(`${dir}/search/quintet-site.json`, 'utf8'));
  const files = readdirSync(`${dir}/search/${entry.folder}`);
  expect(files).toEqual(expect.arrayContaining(['index.js', 'embedder_worker.js', entry.model]));
  expect(readFileSync(`${dir}/search/${entry.folder}/${entry.model}`).equals(readFileSync(embedder))).toBe(true);
});

test('a transformer that is named as the model is the embedder, and words get the default model', async () => {
  const named = writePages(scratch('named'));
  expect(await buildSite({ dir: named, cache: false, model: embedder })).toMatchObject({
    model: 'quintet-models/words',
    embedder: 'embedder-int8.weights',
  });
  await expect(buildSite({ dir: named, cache: false, model: named })).rejects.toThrow(/is not a model/);
});

test('an index without one says so', async () => {
  const plain = writePages(scratch('plain'));
  await buildSite({ dir: plain, cache: false, model: false });
  expect(readdirSync(`${plain}/search`).filter((name) => name.startsWith('embedder'))).toEqual([]);
  await withSite(`${plain}/search`, async (site) => expect(await site.loadEmbedder()).toBe(false));
});

test('without the model words still answer, and the next call tries again', async () => {
  const copy = scratch('copy');
  cpSync(`${dir}/search`, copy, { recursive: true });
  const { embedder: entry } = JSON.parse(readFileSync(`${copy}/quintet-site.json`, 'utf8'));
  const model = `${copy}/${entry.folder}/${entry.model}`;
  renameSync(model, `${model}.away`);
  await withSite(copy, async (site) => {
    await expect(site.loadEmbedder()).rejects.toMatchObject({ code: 'IO' });
    expect((await site.search('inflation')).map(({ url }) => url)).toEqual(['money.html']);
    renameSync(`${model}.away`, model);
    expect(await site.loadEmbedder()).toBe(true);
    expect((await site.search(query))[0].url).toBe('cat.html');
  });
});

test("vectors of another model than the index's are reported, and words answer", async () => {
  const copy = scratch('other');
  cpSync(`${dir}/search`, copy, { recursive: true });
  const path = `${copy}/quintet-site.json`;
  writeFileSync(path, readFileSync(path, 'utf8').replace('"dimension": 256', '"dimension": 128'));
  await withSite(copy, async (site) => {
    await site.loadEmbedder();
    expect((await site.search('inflation')).map(({ url }) => url)).toEqual(['money.html']);
    expect(site.problem).toBe('the embedder gives 256 values, the index has vectors of 128');
  });
});

test('the next build writes the same bytes from kept vectors', async () => {
  const options = { dir, cache: scratch('cache'), model: false, embedder: true };
  const contents = () =>
    Object.fromEntries(
      readdirSync(`${dir}/search`, { recursive: true })
        .filter((name) => name.endsWith('.bin') || name.endsWith('.json'))
        .map((name) => [name, readFileSync(`${dir}/search/${name}`, 'latin1')]),
    );
  const before = contents();
  await buildSite(options);
  expect(contents()).toEqual(before);
  await buildSite(options);
  expect(contents()).toEqual(before);
});

test.each([
  ['', /buildSite: option 'embedder' must be a model, true or false/],
  [null, /buildSite: option 'embedder' must be a model, true or false/],
])('embedder: %j is rejected', async (given, message) => {
  await expect(buildSite({ dir, embedder: given })).rejects.toThrow(message);
});
