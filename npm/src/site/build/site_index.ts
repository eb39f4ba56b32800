// Builds the index of a site from folders, pages and records.

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { throwIfAborted } from '../../base/abort.js';
import { inputError } from '../../base/errors.js';
import { typeName } from '../../base/values.js';
import { checkRecord, type SiteRecord } from '../content/record.js';
import type { LanguageEntry } from '../format/files.js';
import { SiteIndexWriter } from '../index/site_index_writer.js';
import { cacheFolder } from './cache_folder.js';
import type { SiteIndexOptions, WriteSiteOptions } from './options.js';
import { OutputFolder } from './output_folder.js';
import { type GivenPage, PageReading, type ReadPage } from './page_reading.js';
import { PageStore } from './page_store.js';
import type { SiteReport } from './report.js';
import { type LeftOutPage, selectPages } from './selection.js';
import { findPages, type SiteFile } from './site_files.js';
import { siteScripts } from './site_scripts.js';
import { visitCost } from './visit_cost.js';

/** Where pages come from, in the order in which they were added. */
type Source = { dir: string } | { page: GivenPage };

/** How many of the slowest pages a report names. */
const namedSlowest = 5;

/** An index that is being made: what is added is read when the index is written. */
export class SiteIndex {
  private readonly sources: Source[] = [];

  /** @internal */
  constructor(private readonly options: SiteIndexOptions) {}

  /** Adds the pages of a folder: `.html`, or `.md` if it has no HTML. */
  addDirectory(dir: string): this {
    if (typeof dir !== 'string' || dir === '') {
      throw inputError('wrong_type', `addDirectory: the folder must be a non-empty string, not ${typeName(dir)}`);
    }
    this.sources.push({ dir: resolve(dir) });
    return this;
  }

  /** Adds a page of HTML that is no file. `url`: relative to the root of the site. */
  addHtml({ url, content }: { url: string; content: string }): this {
    if (typeof url !== 'string' || typeof content !== 'string') {
      throw inputError('wrong_type', 'addHtml: url and content must be strings');
    }
    return this.addPage({ kind: 'html', url, content: new TextEncoder().encode(`\ufeff${content}`) });
  }

  /**
   * Adds a page by its text.
   * @throws QuintetError INPUT
   */
  addRecord(record: SiteRecord): this {
    checkRecord(record);
    return this.addPage({ kind: 'record', url: record.url, content: record });
  }

  private addPage(page: GivenPage): this {
    this.sources.push({ page: { ...page, url: page.url.replace(/^(\.?\/)+/, '') } });
    return this;
  }

  /**
   * Writes the index with its scripts into a folder. The index that was there is replaced at the end; other files stay.
   * @throws QuintetError IO, ABORTED
   */
  async write(out: string, { signal, onProgress }: WriteSiteOptions = {}): Promise<SiteReport> {
    const start = performance.now();
    const folder = resolve(out);
    const { cache = cacheFolder(this.folderOfPages() ?? folder), lang, base } = this.options;
    const kept = cache === false ? join(tmpdir(), `quintet-site-${process.pid}-${Date.now()}`) : resolve(cache);
    const store = await PageStore.open(kept);
    try {
      const reading = new PageReading(store);
      const { found, leftOut } = await this.findAll(folder);
      for (const [i, each] of found.entries()) {
        throwIfAborted(signal);
        onProgress?.({ stage: 'reading', done: i, total: found.length });
        await ('path' in each ? reading.addFile(each, signal) : reading.add(each));
      }
      const chosen = selectPages(reading.pages, base);
      const { selected } = chosen;
      const usual = lang ?? reading.usualLanguage();
      const writer = new SiteIndexWriter({ lang: usual });
      const titles: string[] = [];
      for (const [i, each] of selected.entries()) {
        throwIfAborted(signal);
        onProgress?.({ stage: 'indexing', done: i, total: selected.length });
        const page = await reading.page(each, usual);
        titles.push(page.title);
        await writer.add(page);
      }
      throwIfAborted(signal);
      onProgress?.({ stage: 'writing', done: 0, total: 1 });
      const scripts = await siteScripts();
      const output = await OutputFolder.open(folder);
      let languages: LanguageEntry[];
      try {
        ({ languages } = await writer.finish((name, bytes) => output.write(name, bytes)));
        for (const [name, bytes] of scripts) await output.write(name, bytes);
        throwIfAborted(signal);
        await output.commit();
      } finally {
        await output.close();
      }
      if (cache !== false) await store.commit();
      const most = languages[0]?.lang ?? '';
      const ofMost = titles.filter((_, i) => (selected[i]!.lang || usual) === most);
      const visit = await visitCost(folder, most, ofMost, [...scripts.values()]);
      return {
        out: folder,
        ...totals(languages),
        ...(visit ? { visit } : {}),
        files: output.files,
        bytes: output.bytes,
        unchangedPages: reading.unchanged,
        ...aboutPages(selected, [...leftOut, ...reading.leftOut, ...chosen.leftOut]),
        seconds: (performance.now() - start) / 1000,
      };
    } finally {
      await store.close();
      if (cache === false) await rm(kept, { recursive: true, force: true });
    }
  }

  private async findAll(out: string): Promise<{ found: (SiteFile | GivenPage)[]; leftOut: LeftOutPage[] }> {
    const found = new Map<string, SiteFile | GivenPage>();
    const leftOut: LeftOutPage[] = [];
    for (const source of this.sources) {
      const added = 'dir' in source ? await findPages(source.dir, out) : { files: [source.page], leftOut: [] };
      for (const page of added.files) {
        if (found.has(page.url)) leftOut.push({ url: page.url, reason: 'was added before' });
        else found.set(page.url, page);
      }
      leftOut.push(...added.leftOut);
    }
    return { found: [...found.values()], leftOut };
  }

  private folderOfPages(): string | undefined {
    return this.sources.flatMap((source) => ('dir' in source ? [source.dir] : []))[0];
  }
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
