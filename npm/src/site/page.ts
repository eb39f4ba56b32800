// The pages of a site, as content/ extracts them and index/ expects them.

/** A page of a site. */
export interface SitePage {
  /** Relative to the root of the site, without a leading slash: `guide/start.html`. */
  url: string;
  /** BCP 47, in lower case; '' if the page does not declare it. */
  lang: string;
  title: string;
  /** Shown with a result, such as `image` or `description`. */
  meta: Record<string, string>;
  filters: Record<string, string[]>;
  sort: Record<string, string>;
  /** In the order of the page. What stands before the first heading belongs to a section without an anchor. */
  sections: SiteSection[];
}

/** The text under a heading, up to the next one. */
export interface SiteSection {
  /** The id that a link to the section names; '' for the page itself. */
  anchor: string;
  /** The heading; '' for the text before the first one. */
  title: string;
  /** The headings above it, outermost first. */
  trail: string[];
  passages: SitePassage[];
}

/** A part of a section that is found as one: some sentences, or a block of code. */
export interface SitePassage {
  text: string;
  isCode: boolean;
  /** 1, unless the page sets another (data-pagefind-weight). */
  weight: number;
}
