// SHA-256 of a stream in Node, for the option `integrity`.

import { createHash } from 'node:crypto';

import type { StreamHash } from '../stream_hash.js';

export class Sha256 implements StreamHash {
  private readonly hash = createHash('sha256');

  update(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  digest(): string {
    return this.hash.digest('base64');
  }
}
