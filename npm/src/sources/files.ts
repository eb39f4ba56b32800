// Files and the Hub in browsers and in Node: `#sources/files` is browser/files.ts or node/files.ts.

import type { ModelFolder } from '../base/types.js';
import type { ByteSource } from './bytes/byte_source.js';
import type { HubPlatform } from './hub/types.js';
import type { Reader } from './types.js';

export interface Files {
  /** The absolute URL of a string. */
  resolve(location: string): URL;
  openFile(location: URL): Promise<ByteSource>;
  /** Whether the `cache` option is supported. */
  readonly hasCache: boolean;
  /** Whether a location is a folder. Absent if the platform has no folders. */
  isFolder?(location: URL): Promise<boolean>;
  /** The files of a folder that a class reads. */
  readFolder?(location: URL, reader: Reader): Promise<ModelFolder>;
  readonly hub: HubPlatform;
}
