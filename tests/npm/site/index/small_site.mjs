// Sites of a few hand-made pages: their index in a folder, opened.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { importSource } from '../../helpers/source.mjs';

export const { SiteIndexWriter } = await importSource('site/index/site_index_writer.ts');
export const { openSite } = await importSource('site/open_site.ts');

/** A page of one section: [url, title, text], or more of it. */
export function page(url, title, text, more = {}) {
  return {
    url,
    lang: 'en',
    title,
    meta: {},
    filters: {},
    sort: {},
    sections: [section('', '', text)],
    ...more,
  };
}

export const section = (anchor, title, ...texts) => ({
  anchor,
  title,
  trail: [],
  passages: texts.map((text) => ({ text, isCode: false, weight: 1 })),
});

/** The files of an index, by name. */
export async function filesOf(pages, options) {
  const writer = new SiteIndexWriter(options);
  for (const each of pages) await writer.add(each);
  const files = new Map();
  await writer.finish(async (name, bytes) => void files.set(name, Buffer.from(await bytes)));
  return files;
}

/** Writes files into their own folder, which `remove` removes. */
export async function folderOf(files) {
  const folder = await mkdtemp(join(tmpdir(), 'quintet-site-'));
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** The result of `use` for the opened site. */
export async function withSite(pages, use, { lang, ...options } = {}) {
  const { folder, remove } = await folderOf(await filesOf(pages, options));
  try {
    const site = await openSite(folder, { lang });
    try {
      return await use(site);
    } finally {
      site.close();
    }
  } finally {
    await remove();
  }
}

/** The addresses of the pages that answer, best first. */
export const urls = async (site, text, options) => (await site.search(text, options)).map(({ url }) => url);

/** The marked words of an excerpt. */
export const marked = ({ text, marks }) => marks.map(([start, end]) => text.slice(start, end));

/** A model of words with hand-made vectors. */
export function modelOf(vectors) {
  const dimension = Object.values(vectors)[0].length;
  return {
    name: 'hand-made',
    fingerprint: JSON.stringify(vectors),
    dimension,
    frequentWords: Object.keys(vectors),
    async vectorsOf(words) {
      return Float32Array.from(words.flatMap((word) => vectors[word] ?? new Array(dimension).fill(0)));
    },
    close() {},
  };
}
