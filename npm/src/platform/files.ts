// How browsers and Node differ in what a location means: `#platform/files` is browser/files.ts or node/files.ts.

import type { ModelFolder } from '../base/types.js';
import type { FileAccess } from '../bytes/open_source.js';

export interface Files extends FileAccess {
  /** Whether files of models can be kept by the `cache` option. */
  readonly hasCache: boolean;
  /** Whether there is a folder. Absent where there are none. */
  isFolder?(location: URL): Promise<boolean>;
  /** The files of a folder that make a model, or the tokenizer of one. */
  readFolder?(location: URL, part: 'model' | 'tokenizer'): Promise<ModelFolder>;
}
