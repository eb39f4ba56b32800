// How browsers and Node resolve and open locations: `#platform/files` is browser/files.ts or node/files.ts.

import type { ModelFolder } from '../base/types.js';
import type { FileAccess } from '../bytes/open_source.js';

export interface Files extends FileAccess {
  /** Whether the `cache` option is supported. */
  readonly hasCache: boolean;
  /** Whether a location is a folder. Absent if the platform has no folders. */
  isFolder?(location: URL): Promise<boolean>;
  /** The files of a folder that make up a model or its tokenizer. */
  readFolder?(location: URL, part: 'model' | 'tokenizer'): Promise<ModelFolder>;
}
