// What a file of the Hub is called, and where it is.

import type { HubFile } from './types.js';

/** hf:OWNER/NAME@REVISION/PATH */
export const nameOf = ({ path, model: { listing } }: HubFile): string => `hf:${listing.repository}@${listing.revision}/${path}`;

/** Its web address, at its commit. */
export function addressOf({ path, model: { access, listing } }: HubFile): string {
  return `${access.endpoint}/${listing.repository}/resolve/${listing.commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
