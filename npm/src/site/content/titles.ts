// Titles of pages for lists of results: without the name of the site that most of them begin or end with.

import type { ExtractedPage } from './extracted_page.js';

/** Separators between a title and the name of the site. */
const separator = /\s+(?:[-–—|·•:»«/]|::|>>)\s+|\s*(?:[|»«｜]|::)\s*/u;

/** Share of the pages of a language that have the name in their title. */
const share = 0.3;
const minPages = 3;

export class SiteTitles {
  private readonly counts = new Map<
    string,
    { pages: number; ends: Map<string, number>; titles: Map<string, number> }
  >();

  /** Every page first. */
  count({ lang, titles }: Pick<ExtractedPage, 'lang' | 'titles'>): void {
    let counted = this.counts.get(lang);
    if (!counted) this.counts.set(lang, (counted = { pages: 0, ends: new Map(), titles: new Map() }));
    counted.pages += 1;
    add(counted.titles, titles.own);
    const { first, last } = endsOf(titles.own);
    for (const end of new Set([first && `${first.name}\0`, last && `\0${last.name}`])) if (end) add(counted.ends, end);
  }

  /** '' if the page has no title at all. */
  titleOf({ lang, titles }: Pick<ExtractedPage, 'lang' | 'titles'>): string {
    if (titles.given) return titles.given;
    const counted = this.counts.get(lang)!;
    const isName = (end: string) => (counted.ends.get(end) ?? 0) >= Math.max(minPages, share * counted.pages);
    const { first, last } = endsOf(titles.own);
    let title = titles.own;
    if (last && isName(`\0${last.name}`)) title = last.rest;
    else if (first && isName(`${first.name}\0`)) title = first.rest;
    // A title that all pages have names none of them.
    const isShared = (counted.titles.get(titles.own) ?? 0) >= Math.max(minPages, share * counted.pages);
    return isShared ? titles.heading || title : title || titles.heading;
  }
}

const add = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

interface End {
  name: string;
  /** The title without it. */
  rest: string;
}

function endsOf(title: string): { first?: End; last?: End } {
  const matches = [...title.matchAll(new RegExp(separator, 'gu'))];
  const [before, after] = [matches[0], matches.at(-1)];
  if (!before || !after) return {};
  const afterFirst = before.index + before[0].length;
  return {
    first: { name: title.slice(0, before.index), rest: title.slice(afterFirst) },
    last: { name: title.slice(after.index + after[0].length), rest: title.slice(0, after.index) },
  };
}
