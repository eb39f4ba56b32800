// The content of a page, before anything is known about the other pages of the site.

import type { SitePage, SiteSection } from '../page.js';

export interface ExtractedPage {
  lang: string;
  titles: {
    /** The title among results that the page asks for. */
    given: string | undefined;
    /** With the name of the site, on most sites. */
    own: string;
    heading: string;
  };
  meta: SitePage['meta'];
  filters: SitePage['filters'];
  sort: SitePage['sort'];
  sections: SiteSection[];
  /** The address under which it wants to be found. */
  canonical: string | undefined;
  /** It forbids to be indexed. */
  isUnlisted: boolean;
  /** It only leads to another one. */
  isRedirect: boolean;
  /**
   * Whether the page marks its content for the index: if any page does, the others are left out. Undefined if it is not
   * HTML.
   */
  hasMarkedBody: boolean | undefined;
  /** Why the rest of it was not read. */
  cutOff: string | undefined;
}
