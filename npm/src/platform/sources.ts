// Opens model sources on this platform.

import { files } from '#platform/files';

import type { ModelSource } from '../base/types.js';
import type { ByteSource } from '../bytes/byte_source.js';
import { locationWith, openSourceWith, type OpenOptions } from '../bytes/open_source.js';

/** Opens a source for reading once. The caller closes it. */
export const openSource = (source: ModelSource, options: OpenOptions = {}): Promise<ByteSource> =>
  openSourceWith(files, source, options);

/** The absolute URL of a source that is a string or a URL. */
export const locationOf = (source: ModelSource): URL | undefined => locationWith(files, source);
