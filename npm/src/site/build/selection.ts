// Selects the pages of a site that are searched: without duplicates, and without those that ask to be left out.

import { pageKey, SiteAddress } from './addresses.js';

/** The part of a page that is kept until all are known. */
export interface PageSummary {
  url: string;
  canonical: string | undefined;
  isUnlisted: boolean;
  isRedirect: boolean;
  hasMarkedBody: boolean | undefined;
  /** Digest of the title and the sections. */
  textHash: string;
  /** Whether it has neither text nor a title. */
  isBlank: boolean;
}

export interface LeftOutPage {
  url: string;
  reason: string;
}

/** `base`: the address of the site, if it is known. */
export function selectPages<Page extends PageSummary>(
  pages: readonly Page[],
  base: string | undefined,
): { selected: Page[]; leftOut: LeftOutPage[] } {
  const isMarkedSite = pages.some(({ hasMarkedBody }) => hasMarkedBody);
  const byKey = new Map(pages.map((page) => [pageKey(page.url), page]));
  const address = new SiteAddress(pages, base);
  const seen = new Map<string, string>();
  const selected: Page[] = [];
  const leftOut: LeftOutPage[] = [];
  for (const page of pages) {
    const reason = refusal(page);
    if (reason) leftOut.push({ url: page.url, reason });
    else {
      seen.set(page.textHash, page.url);
      selected.push(page);
    }
  }
  return { selected, leftOut };

  function refusal(page: Page): string | undefined {
    if (page.isUnlisted) return 'asks not to be indexed';
    if (page.isRedirect) return 'leads to another page';
    if (isMarkedSite && page.hasMarkedBody === false) return 'has no data-pagefind-body, as others do';
    const original = address.canonicalKey(page);
    const other = original === undefined || original === pageKey(page.url) ? undefined : byKey.get(original);
    // Two pages that name each other would both be lost.
    if (other && address.canonicalKey(other) !== pageKey(page.url))
      return `is a copy of ${other.url}, its canonical page`;
    if (page.isBlank) return 'has no text';
    const same = seen.get(page.textHash);
    return same === undefined ? undefined : `has the same text as ${same}`;
  }
}
