// Reads the pages of a site one after another, and keeps only the facts that are needed until all are known.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

import { messageOf } from '../../base/errors.js';
import type { ExtractedPage } from '../content/extracted_page.js';
import { readHtmlPage } from '../content/html/html_page.js';
import { readMarkdownPage } from '../content/markdown.js';
import { readRecord, type SiteRecord } from '../content/record.js';
import { SiteTitles } from '../content/titles.js';
import type { SitePage } from '../page.js';
import { PageStore, type StoredPage } from './page_store.js';
import type { LeftOutPage, PageSummary } from './selection.js';
import type { SiteFile } from './site_files.js';
import { LanguageGuess } from './site_language.js';

/** A page that is not a file. */
export type GivenPage =
  | { kind: 'html' | 'markdown'; url: string; content: Uint8Array }
  | { kind: 'record'; url: string; content: SiteRecord };

/** Larger pages are left out: nobody reads them, and the tree of one takes about thirty times its size. */
const maxPageBytes = 10_000_000;

/** Files that are read before their turn. */
const readAhead = 8;

export interface ReadPage extends PageSummary {
  stored: StoredPage;
  lang: string;
  titles: ExtractedPage['titles'];
  hasText: boolean;
  cutOff: string | undefined;
  seconds: number;
}

export class PageReading {
  readonly pages: ReadPage[] = [];
  readonly leftOut: LeftOutPage[] = [];
  unchanged = 0;
  private readonly titles = new SiteTitles();
  private readonly guess = new LanguageGuess();

  constructor(private readonly store: PageStore) {}

  /** Reads pages in this order; `onPage` gets the number of each. */
  async addAll(pages: readonly (SiteFile | GivenPage)[], onPage: (number: number) => void): Promise<void> {
    const contents: Promise<GivenPage | string>[] = [];
    for (const [i, page] of pages.entries()) {
      onPage(i);
      while (contents.length < Math.min(pages.length, i + readAhead)) contents.push(contentOf(pages[contents.length]!));
      const given = await contents[i]!;
      delete contents[i];
      if (typeof given === 'string') this.leaveOut(page.url, given);
      else await this.add(given);
    }
  }

  private async add(given: GivenPage): Promise<void> {
    const { kind, url, content } = given;
    const bytes = given.kind === 'record' ? new TextEncoder().encode(JSON.stringify(content)) : given.content;
    if (bytes.length > maxPageBytes) return this.leaveOut(url, tooLarge(bytes.length));
    const start = performance.now();
    const key = PageStore.key(kind, bytes);
    let kept = await this.store.reuse(key);
    if (kept) this.unchanged += 1;
    else {
      const page = readPage(given);
      if (typeof page === 'string') return this.leaveOut(url, page);
      kept = { page, stored: await this.store.add(key, page) };
    }
    this.keep(url, kept.page, kept.stored, (performance.now() - start) / 1000);
  }

  private keep(url: string, page: ExtractedPage, stored: StoredPage, seconds: number): void {
    const { lang, titles, canonical, isUnlisted, isRedirect, hasMarkedBody, cutOff, sections } = page;
    this.titles.count(page);
    const texts = sections.flatMap(({ passages }) => passages.map(({ text }) => text));
    if (!lang && !this.guess.isFull) for (const text of texts) this.guess.add(text);
    const textHash = createHash('sha256')
      .update(JSON.stringify([lang, titles, sections]))
      .digest('base64url')
      .slice(0, 22);
    const isBlank = texts.length === 0 && !titles.given && !titles.own && !titles.heading;
    const summary = { url, canonical, isUnlisted, isRedirect, hasMarkedBody, textHash, isBlank };
    this.pages.push({ ...summary, stored, lang, titles, hasText: texts.length > 0, cutOff, seconds });
  }

  private leaveOut(url: string, reason: string): void {
    this.leftOut.push({ url, reason });
  }

  /** The language of pages that do not declare theirs: that of most others, else a guess from their texts. */
  usualLanguage(): string {
    const counts = new Map<string, number>();
    for (const { lang } of this.pages) if (lang) counts.set(lang, (counts.get(lang) ?? 0) + 1);
    return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0] ?? this.guess.language();
  }

  /** A page as the index expects it; `lang`: for a page that does not declare its language. */
  async page(read: ReadPage, lang: string): Promise<SitePage> {
    const { sections, meta, filters, sort } = await this.store.take(read.stored);
    const title = this.titles.titleOf(read) || nameIn(read.url);
    return {
      url: read.url,
      lang: read.lang || lang,
      title,
      meta: located(meta, read.url),
      filters,
      sort,
      // A page without text is found by its title.
      sections: sections.length > 0 ? sections : [{ anchor: '', title: '', trail: [], passages: [] }],
    };
  }
}

/** The content of a page, or why it cannot be read. */
async function contentOf(page: SiteFile | GivenPage): Promise<GivenPage | string> {
  if ('content' in page) return page;
  const { path, url, kind } = page;
  try {
    const { size } = await stat(path);
    return size > maxPageBytes ? tooLarge(size) : { kind, url, content: await readFile(path) };
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
}

/** Or why it cannot be read. */
function readPage({ kind, content }: GivenPage): ExtractedPage | string {
  if (kind === 'html') return readHtmlPage(content);
  if (kind === 'record') return readRecord(content);
  try {
    return readMarkdownPage(content);
  } catch (error) {
    // The parser of Markdown recurses.
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}

const tooLarge = (size: number): string => `is larger than ${maxPageBytes / 1e6} MB: ${(size / 1e6).toFixed(1)} MB`;

/** The name of a page without a title: that of its file, or of its folder. */
function nameIn(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/(^|\/)(index)?(\.x?html?)?$/i, '');
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  try {
    return decodeURIComponent(name) || url;
  } catch {
    return name || url;
  }
}

/** Pictures of pages in folders are named relative to the page, but shown next to results on other pages. */
function located(meta: Record<string, string>, url: string): Record<string, string> {
  const image = Object.hasOwn(meta, 'image') ? meta['image'] : undefined;
  if (!image || /^([a-z][a-z0-9+.-]*:|\/)/i.test(image)) return meta;
  const { pathname, search } = new URL(image, `site://root/${url}`);
  return { ...meta, image: pathname.slice(1) + search };
}
