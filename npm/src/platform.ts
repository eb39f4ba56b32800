// How browsers and Node differ in what a location means. The build puts browser_platform.ts or node_platform.ts in the
// place of 'quintet-platform'.

import type { ByteSource } from './byte_source.js';

export interface Platform {
  /** The URL that a string means. */
  resolve(location: string): URL;
  openFile(location: URL): Promise<ByteSource>;
}
