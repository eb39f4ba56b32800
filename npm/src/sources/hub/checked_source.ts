// Checks the size of a downloaded file, and the SHA-256 of one in LFS, while it is read. The last bytes are not handed out
// before both are right.

import { hub as platform } from '#sources/hub';

import { ioError } from '../../base/errors.js';
import type { ByteSource } from '../bytes/byte_source.js';
import type { HubFile } from './types.js';

const sha256Digits = 64;

export function checkedSource(source: ByteSource, { path, size, etag, model }: HubFile): ByteSource {
  const name = `hf:${model.listing.repository}/${path}`;
  // Files outside LFS are small, and named after a git object.
  const hash = etag.length === sha256Digits ? platform.sha256() : undefined;
  let position = 0;
  return {
    ...source,
    size,
    async read() {
      const chunk = await source.read();
      position += chunk?.length ?? 0;
      if (position > size || (!chunk && position < size)) {
        throw ioError('integrity', `${name}: ${position > size ? 'more bytes' : `only ${position} bytes`} came, the Hub lists ${size}`);
      }
      if (!chunk) return null;
      hash?.update(chunk);
      if (position === size && hash && hash.hex() !== etag) {
        throw ioError('integrity', `${name}: the bytes that came do not have the SHA-256 that the Hub lists`);
      }
      return chunk;
    },
    close: () => source.close(),
  };
}
