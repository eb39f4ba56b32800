// The files of a site's index in browsers.

import { inputError, unsupported } from '../../base/errors.js';
import { collected, type SiteFiles, withSlash } from '../site_files.js';

export const siteFiles: SiteFiles = {
  folderOf(location) {
    try {
      return withSlash(new URL(location, typeof document === 'object' ? document.baseURI : self.location.href));
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  readLocal(url) {
    throw unsupported(`${url.protocol} is not supported in browsers: serve the index over HTTP`);
  },
  inflate: (bytes, maxBytes) =>
    collected(
      new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate')),
      maxBytes,
    ),
};
