// How browsers and Node differ in what a location means. The build puts browser_platform.ts or node_platform.ts in the
// place of 'quintet-platform'.

import type { ByteSource } from './byte_source.js';
import type { ModelFolder } from './types.js';

export interface Platform {
  /** Whether files of models can be kept by the `cache` option. */
  readonly hasCache: boolean;
  /** The URL that a string means. */
  resolve(location: string): URL;
  openFile(location: URL): Promise<ByteSource>;
  /** The files of a model's folder; undefined where it is none. Absent where there are no folders. */
  readFolder?(location: URL): Promise<ModelFolder | undefined>;
}
