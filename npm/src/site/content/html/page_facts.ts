// Facts that a page states about itself, anywhere in it: its language and titles, what search engines may do with it,
// and what it has for Pagefind.

import { attributeOf, type Document, type Element, walk } from './dom.js';
import { oneLine, textOf } from './element_text.js';
import { type Capture, capturesOf, ignoredPart } from './pagefind.js';

export interface PageFacts {
  /** BCP 47, in lower case; '' if the page does not declare it. */
  lang: string;
  /** The text of <title>. */
  title: string;
  /** The first heading of the first level. */
  heading: string;
  /** The title from data-pagefind-meta. */
  givenTitle: string | undefined;
  meta: Record<string, string>;
  filters: Record<string, string[]>;
  sort: Record<string, string>;
  /** The address under which the page wants to be found. */
  canonical: string | undefined;
  /** A robots <meta> forbids to index it. */
  isUnlisted: boolean;
  /** It redirects to another page. */
  isRedirect: boolean;
  /** It marks what to index with data-pagefind-body. */
  hasMarkedBody: boolean;
}

/** In UTF-16 units: browsers do not open longer addresses. */
const maxAddress = 2000;

export function pageFacts(document: Document): PageFacts {
  const facts = new FactCollector();
  walk(document, { enter: (element) => facts.enter(element) });
  return facts.result();
}

class FactCollector {
  private lang: string | undefined;
  private title: string | undefined;
  private heading = '';
  private description = '';
  private image: { src: string; alt: string } | undefined;
  private canonical: string | undefined;
  private isUnlisted = false;
  private isRedirect = false;
  private hasMarkedBody = false;
  private readonly meta = new Map<string, string>();
  private readonly defaultMeta = new Map<string, string>();
  private readonly filters = new Map<string, string[]>();
  private readonly sort = new Map<string, string>();

  enter(element: Element): boolean {
    if (element.tagName === 'html') this.lang = attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang');
    if (ignoredPart(element) === 'all') return false;
    this.hasMarkedBody ||= attributeOf(element, 'data-pagefind-body') !== undefined;
    this.captures(element);
    switch (element.tagName) {
      case 'title':
        this.title ??= textOf(element);
        break;
      case 'meta':
        this.metaElement(element);
        break;
      case 'link':
        if (/(^|\s)canonical(\s|$)/i.test(attributeOf(element, 'rel') ?? '')) {
          const href = attributeOf(element, 'href')?.trim() ?? '';
          if (href.length <= maxAddress) this.canonical ??= href;
        }
        break;
      case 'h1':
        this.heading ||= textOf(element);
        break;
      case 'img':
        if (this.heading) this.imageElement(element);
        break;
    }
    // The <title> of a picture is not the page's.
    return element.tagName !== 'svg';
  }

  private metaElement(element: Element): void {
    const name = attributeOf(element, 'name')?.trim().toLowerCase();
    const content = attributeOf(element, 'content') ?? '';
    if (name === 'description') this.description ||= oneLine(content);
    if (name === 'robots' && /(^|[\s,])(noindex|none)([\s,]|$)/i.test(content)) this.isUnlisted = true;
    const isRefresh = attributeOf(element, 'http-equiv')?.trim().toLowerCase() === 'refresh';
    if (isRefresh && /^\s*(?:0+\s*)?[;,]\s*url\s*=/i.test(content)) this.isRedirect = true;
  }

  private imageElement(element: Element): void {
    const src = attributeOf(element, 'src')?.trim();
    if (src && !/^data:/i.test(src)) this.image ??= { src, alt: oneLine(attributeOf(element, 'alt') ?? '') };
  }

  private captures(element: Element): void {
    for (const { name } of element.attrs) {
      if (name === 'data-pagefind-filter') {
        this.each(element, name, (key, value) => {
          const values = this.filters.get(key);
          if (!values) this.filters.set(key, [value]);
          else if (!values.includes(value)) values.push(value);
        });
      } else if (name === 'data-pagefind-meta') this.each(element, name, (key, value) => this.meta.set(key, value));
      else if (name === 'data-pagefind-sort') this.each(element, name, (key, value) => this.sort.set(key, value));
      else if (name === 'data-pagefind-default-meta') {
        this.each(element, name, (key, value) => this.defaultMeta.set(key, value));
      }
    }
  }

  private each(element: Element, attribute: string, take: (name: string, value: string) => void): void {
    for (const { name, value } of capturesOf(element, attribute) satisfies Capture[]) {
      const text = value === undefined ? textOf(element) : oneLine(value);
      if (text) take(name, text);
    }
  }

  result(): PageFacts {
    const meta = new Map<string, string>();
    if (this.description) meta.set('description', this.description);
    for (const [name, value] of this.defaultMeta) meta.set(name, value);
    if (this.image && !this.meta.has('image') && !this.defaultMeta.has('image')) {
      meta.set('image', this.image.src);
      if (this.image.alt) meta.set('image_alt', this.image.alt);
    }
    for (const [name, value] of this.meta) meta.set(name, value);
    const givenTitle = meta.get('title');
    meta.delete('title');
    return {
      lang: languageTag(this.lang ?? ''),
      title: this.title ?? '',
      heading: this.heading,
      givenTitle,
      // Object.fromEntries defines properties with any names.
      meta: Object.fromEntries(meta),
      filters: Object.fromEntries(this.filters),
      sort: Object.fromEntries(this.sort),
      canonical: this.canonical || undefined,
      isUnlisted: this.isUnlisted,
      isRedirect: this.isRedirect,
      hasMarkedBody: this.hasMarkedBody,
    };
  }
}

/** A language as BCP 47 has it, in lower case; '' for an invalid one. */
export function languageTag(lang: string): string {
  const tag = lang.trim().toLowerCase().replaceAll('_', '-');
  return /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/.test(tag) ? tag : '';
}
