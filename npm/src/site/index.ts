// quintet/site in a page: searches an index that was built before (node.ts).

export { type ErrorCode, type ErrorDetails, type ErrorReason, QuintetError } from '../base/errors.js';
export type * from './types.js';
export { openSite } from './worker/open_site.js';
