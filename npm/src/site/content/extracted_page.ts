// What a page has by itself, before it is known what the other pages of the site have.

import type { SitePage, SiteSection } from '../page.js';

export interface ExtractedPage {
  lang: string;
  titles: {
    /** What the page says is its title among results. */
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
  /** It marks its content for the index: pages of the site that do not are left out. Undefined for what is no HTML. */
  hasMarkedBody: boolean | undefined;
  /** Why the rest of it was not read. */
  cutOff: string | undefined;
}
