// Writes the files of an index from pages.

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { throwIfAborted } from '../../base/abort.js';
import { languageTag } from '../content/html/page_facts.js';
import type { LanguageEntry } from '../format/files.js';
import { SiteIndexWriter } from '../index/site_index_writer.js';
import { cacheFolder } from './cache_folder.js';
import { embedderFolder } from './embedder_folder.js';
import type { SiteIndexOptions, WriteSiteOptions } from './options.js';
import { OutputFolder } from './output_folder.js';
import { type GivenPage, PageReading, type ReadPage } from './page_reading.js';
import { PageStore } from './page_store.js';
import type { SiteReport } from './report.js';
import { type LeftOutPage, selectPages } from './selection.js';
import { findPages, type SiteFile } from './site_files.js';
import { SiteModels } from './site_models.js';
import { siteScripts } from './site_scripts.js';
import { visitCost } from './visit_cost.js';

/** The source of pages. */
export type PageSource = { dir: string } | { page: GivenPage };

interface Options extends SiteIndexOptions, WriteSiteOptions {}

/** The number of slowest pages that a report names. */
const namedSlowest = 5;

/** `out`: an absolute path. */
export async function writeIndex(sources: readonly PageSource[], out: string, options: Options): Promise<SiteReport> {
  const start = performance.now();
  const { cache = cacheFolder(folderOf(sources) ?? out), signal } = options;
  const kept = cache === false ? join(tmpdir(), `quintet-site-${process.pid}-${Date.now()}`) : resolve(cache);
  const store = await PageStore.open(kept);
  let models: SiteModels | undefined;
  try {
    models = await SiteModels.load(options, kept, signal);
    const reading = new PageReading(store);
    const found = await findAll(sources, out);
    await reading.addAll(found.pages, (done) => {
      throwIfAborted(signal);
      options.onProgress?.({ stage: 'reading', done, total: found.pages.length });
    });
    const { selected, leftOut } = selectPages(reading.pages, options.base);
    const written = await writeSelected(reading, selected, models, out, options);
    if (cache !== false) {
      await store.commit();
      await models.commit();
    }
    return {
      out,
      ...written,
      unchangedPages: reading.unchanged,
      ...aboutPages(selected, [...found.leftOut, ...reading.leftOut, ...leftOut]),
      seconds: (performance.now() - start) / 1000,
    };
  } finally {
    models?.close();
    await store.close();
    if (cache === false) await rm(kept, { recursive: true, force: true });
  }
}

const folderOf = (sources: readonly PageSource[]): string | undefined =>
  sources.flatMap((source) => ('dir' in source ? [source.dir] : []))[0];

/** All pages, each address once. */
async function findAll(
  sources: readonly PageSource[],
  out: string,
): Promise<{ pages: (SiteFile | GivenPage)[]; leftOut: LeftOutPage[] }> {
  const pages = new Map<string, SiteFile | GivenPage>();
  const leftOut: LeftOutPage[] = [];
  for (const source of sources) {
    const added = 'dir' in source ? await findPages(source.dir, out) : { files: [source.page], leftOut: [] };
    for (const page of added.files) {
      if (pages.has(page.url)) leftOut.push({ url: page.url, reason: 'was added before' });
      else pages.set(page.url, page);
    }
    leftOut.push(...added.leftOut);
  }
  return { pages: [...pages.values()], leftOut };
}

async function writeSelected(
  reading: PageReading,
  selected: readonly ReadPage[],
  { words, wordLanguages, passages, passageLanguages, transformer }: SiteModels,
  out: string,
  { lang, signal, onProgress }: Options,
) {
  const usual = lang === undefined ? reading.usualLanguage() : languageTag(lang);
  const writer = new SiteIndexWriter({
    lang: usual,
    model: words,
    modelLanguages: wordLanguages,
    embedder: passages,
    embedderLanguages: passageLanguages,
  });
  const titles: { title: string; lang: string }[] = [];
  for (const [done, each] of selected.entries()) {
    throwIfAborted(signal);
    onProgress?.({ stage: 'indexing', done, total: selected.length });
    const page = await reading.page(each, usual);
    titles.push({ title: page.title, lang: page.lang });
    await writer.add(page);
  }
  throwIfAborted(signal);
  onProgress?.({ stage: 'writing', done: 0, total: 1 });
  const scripts = await siteScripts();
  let embedder = transformer && (await embedderFolder(transformer));
  const output = await OutputFolder.open(out);
  let languages: LanguageEntry[];
  try {
    ({ languages } = await writer.finish((name, bytes) => output.write(name, bytes), embedder?.entry));
    if (!languages.some(({ embedded }) => embedded)) embedder = undefined;
    for (const { name, bytes } of [...scripts, ...(embedder?.files ?? [])]) await output.write(name, bytes);
    throwIfAborted(signal);
    await output.commit();
  } finally {
    await output.close();
  }
  const most = languages[0]?.lang ?? '';
  const queries = titles.filter((page) => page.lang === most).map(({ title }) => title);
  const visit = await visitCost(out, most, queries, scripts);
  return {
    ...totals(languages),
    ...(embedder && { embedder: embedder.entry.name }),
    files: output.files,
    bytes: output.bytes,
    ...(visit ? { visit } : {}),
  };
}

function totals(languages: readonly LanguageEntry[]) {
  const sum = (what: 'pages' | 'sections' | 'passages') => languages.reduce((total, each) => total + each[what], 0);
  const model = languages.find(({ vectors }) => vectors)?.vectors?.model;
  return {
    pages: sum('pages'),
    sections: sum('sections'),
    passages: sum('passages'),
    languages: languages.map(({ lang, pages, sections, passages }) => ({ lang, pages, sections, passages })),
    ...(model === undefined ? {} : { model }),
  };
}

function aboutPages(selected: readonly ReadPage[], leftOut: LeftOutPage[]) {
  const slowest = [...selected].sort((a, b) => b.seconds - a.seconds).slice(0, namedSlowest);
  return {
    leftOut,
    withoutText: selected.filter(({ hasText }) => !hasText).map(({ url }) => url),
    cutOff: selected.flatMap(({ url, cutOff }) => (cutOff === undefined ? [] : [{ url, reason: cutOff }])),
    slowest: slowest.map(({ url, seconds }) => ({ url, seconds })),
  };
}
