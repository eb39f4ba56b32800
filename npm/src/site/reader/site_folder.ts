// Reads the files of an index from a web server or the disk, and counts their bytes.

import { siteFiles } from '#platform/site_files';
import { throwIfAborted } from '../../base/abort.js';
import { ioError, messageOf } from '../../base/errors.js';
import { collected } from '../../platform/site_files.js';
import { ByteReader } from '../format/byte_reader.js';
import { damaged, type FileKind, fileName, maxContent, maxStored } from '../format/files.js';

export class SiteFolder {
  /** Bytes read so far, as they are stored. */
  bytes = 0;

  private readonly closing = new AbortController();

  constructor(private readonly root: URL) {}

  /** A file of the index. Throws an IO or FORMAT error. */
  async open(folder: string, kind: FileKind, number: number): Promise<ByteReader> {
    const name = fileName(folder, kind, number);
    const bytes = await this.read(name);
    let content: Uint8Array;
    try {
      content = await siteFiles.inflate(bytes, maxContent);
    } catch (error) {
      throw damaged(`${name} is damaged: ${messageOf(error)}`);
    }
    return ByteReader.open(content, name, kind, number);
  }

  async read(name: string): Promise<Uint8Array> {
    throwIfAborted(this.closing.signal);
    const url = new URL(name, this.root);
    const bytes = /^https?:$/.test(url.protocol)
      ? await download(url, this.closing.signal)
      : await siteFiles.readLocal(url, maxStored);
    this.bytes += bytes.length;
    return bytes;
  }

  /** Ends the downloads. */
  close(): void {
    this.closing.abort();
  }
}

async function download(url: URL, signal: AbortSignal): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw ioError('network', `cannot load ${url}: ${messageOf(error)}`, error);
  }
  if (!response.ok) throw ioError('http_status', `cannot load ${url}: status ${response.status}`);
  try {
    return response.body ? await collected(response.body, maxStored) : new Uint8Array(0);
  } catch (error) {
    throw ioError('read_failed', `cannot load ${url}: ${messageOf(error)}`, error);
  }
}
