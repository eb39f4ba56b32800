// The files of a call to a worker, on the page's side. Sources that can be sent are sent; others the worker pulls in
// pieces.

import { threads } from '#platform/threads';

import type { ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import { piecesOf, type ByteSource } from '../sources/bytes/byte_source.js';
import { openModelFile } from '../sources/open_files.js';
import type { ModelFile } from '../sources/types.js';
import { locationOf } from '../sources/open_source.js';
import type { CallOptions } from './calls.js';
import type { PortableFile, PortableSource, Range } from './protocol.js';

interface PulledFile {
  source: ByteSource;
  pieces: ReturnType<typeof piecesOf>;
}

export class PulledFiles {
  private readonly files: (PulledFile | undefined)[] = [];

  /** Opens the sources that cannot be sent. */
  async portable({ sources = [], signal, fallbacks = [] }: CallOptions): Promise<PortableFile[]> {
    const portable: PortableFile[] = [];
    for (const file of sources) {
      const crossing = crossingSource(file);
      const source = crossing ? undefined : await openModelFile(file, signal, fallbacks);
      this.files.push(source && { source, pieces: piecesOf(source) });
      portable.push({ name: file.name, source: crossing ?? pulledSource(source!) });
    }
    return portable;
  }

  /**
   * The next bytes or a range, as a copy that can be transferred without detaching the caller's buffers. Null at the
   * end.
   */
  async pull(file: number, range: Range | undefined): Promise<Uint8Array<ArrayBuffer> | null> {
    const { source, pieces } = this.files[file]!;
    const bytes = range ? await source.readAt!(range.position, range.length) : (await pieces.next()).value;
    return bytes ? new Uint8Array(bytes) : null;
  }

  async close(): Promise<void> {
    for (const file of this.files) await file?.source.close();
  }
}

const pulledSource = ({ size, readAt }: ByteSource): PortableSource => ({
  kind: 'pulled',
  size,
  inAnyOrder: readAt !== undefined,
});

function crossingSource({ source, entry, hub }: ModelFile): PortableSource | undefined {
  const location = locationOf(source as ModelSource);
  if (location) return { kind: 'location', href: location.href, entry, hub };
  if (threads.sendsBlobs && !entry && isA(source, 'Blob', 'File')) return { kind: 'blob', blob: source as Blob };
  return undefined;
}
