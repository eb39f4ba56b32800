// How browsers and Node resolve and open locations: `#sources/files` is browser/files.ts or node/files.ts.

import type { ModelFolder } from '../base/types.js';
import type { ByteSource } from './bytes/byte_source.js';

/** What is read of a model: all that a text generator needs, what an embedder needs besides, or the tokenizer alone. */
export type ModelPart = 'generator' | 'embedder' | 'tokenizer';

export interface Files {
  /** The absolute URL of a string. */
  resolve(location: string): URL;
  openFile(location: URL): Promise<ByteSource>;
  /** Whether the `cache` option is supported. */
  readonly hasCache: boolean;
  /** Whether a location is a folder. Absent if the platform has no folders. */
  isFolder?(location: URL): Promise<boolean>;
  /** The files of a folder that make up this part of a model. */
  readFolder?(location: URL, part: ModelPart): Promise<ModelFolder>;
}
