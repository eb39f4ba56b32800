// The types of quintet/site.

/** A page that answers a query, with the sections that do. */
export interface SiteHit {
  /** Relative to the root of the site. */
  url: string;
  title: string;
  /** Larger is better. Scores of different queries do not compare. */
  score: number;
  meta: Record<string, string>;
  excerpt: SiteExcerpt;
  /** Best first. */
  sections: SiteSectionHit[];
}

export interface SiteSectionHit {
  /** The id of the heading; '' for the beginning of the page. */
  anchor: string;
  title: string;
  score: number;
  excerpt: SiteExcerpt;
}

/** A part of a page's text, with the words of the query. */
export interface SiteExcerpt {
  text: string;
  /** Ranges of UTF-16 units of `text`, ascending. */
  marks: [start: number, end: number][];
}

export interface OpenSiteOptions {
  /** The language of the pages to search (BCP 47); by default the document's, or the site's most frequent one. */
  lang?: string;
  signal?: AbortSignal;
}

export interface SiteSearchOptions {
  /** Number of pages, 10 by default. */
  k?: number;
  /** Pages that have one of the values of each filter. */
  filters?: Record<string, string | readonly string[]>;
  /** Pages in the order of a value, instead of the best first; those without it last. One name is used. */
  sort?: Record<string, 'asc' | 'desc'>;
  /** Words and meaning ('hybrid', the default), or words alone. */
  mode?: 'keyword' | 'hybrid';
  signal?: AbortSignal;
}

/** An opened search of a site. */
export interface Site {
  /** The pages that answer, best first. */
  search(text: string, options?: SiteSearchOptions): Promise<SiteHit[]>;
  /** The number of pages of each value of each filter. */
  filters(): Promise<Record<string, Record<string, number>>>;
  /**
   * Loads the transformer of the index in the background. Searches continue, and use it once it is loaded. Resolves to
   * whether they do, which is false if the index has none, or the visitor's browser is to save data. After a failure
   * the next call tries again.
   * @throws QuintetError if it cannot be loaded
   */
  loadEmbedder(): Promise<boolean>;
  /** Bytes downloaded of the index so far. */
  readonly bytes: number;
  /**
   * Why the last search had to do without the meaning: a file of the index is missing or damaged. Undefined if it had
   * not.
   */
  readonly problem?: string | undefined;
  close(): void;
}
