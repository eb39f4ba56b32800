// quintet/site in Node: also builds the index of a site.

export { type ErrorCode, type ErrorDetails, type ErrorReason, QuintetError } from '../base/errors.js';
export { buildSite, createSiteIndex } from './build/build_site.js';
export type { BuildSiteOptions, SiteIndexOptions, SiteProgress, WriteSiteOptions } from './build/options.js';
export type { SiteReport, VisitCost } from './build/report.js';
export type { LeftOutPage } from './build/selection.js';
export type { SiteIndex } from './build/site_index.js';
export type { SiteRecord } from './content/record.js';
export { openSite } from './embedder/open_site.js';
export { loadWordModel } from './model/load_model.js';
export type * from './model/word_model.js';
export type * from './page.js';
export type * from './types.js';
