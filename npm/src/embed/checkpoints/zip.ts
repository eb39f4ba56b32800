// The files of a zip archive (PKWARE's APPNOTE.TXT, 4.3) as PyTorch writes it: they are stored without compression.

import { QuintetError } from '../../base/errors.js';

const [endMark, entryMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50];
const endBytes = 22;
const entryBytes = 46;
const fileBytes = 30;
const maxComment = 0xffff;
/** More than any checkpoint with one linear layer has. */
const maxFiles = 64;

/** Views, by path. `name`: of the archive, for messages. */
export function storedFiles(archive: Uint8Array, name: string): Map<string, Uint8Array> {
  const broken = (what: string) => new QuintetError('FORMAT', `${name}: ${what}`, { reason: 'malformed' });
  const view = new DataView(archive.buffer, archive.byteOffset, archive.length);
  /** `bytes` from `at` on, which must be in the archive and begin with a mark. */
  const record = (at: number, bytes: number, mark: number) => {
    if (at + bytes > archive.length || view.getUint32(at, true) !== mark)
      throw broken(`there is no record of a zip archive at byte ${at}`);
  };

  let end = archive.length - endBytes;
  const first = Math.max(0, end - maxComment);
  while (end >= first && view.getUint32(end, true) !== endMark) --end;
  if (end < first) throw broken('it is not a zip archive, which is how PyTorch saves');
  const count = view.getUint16(end + 10, true);
  if (count > maxFiles) throw broken(`${count} files, expected at most ${maxFiles}`);

  const files = new Map<string, Uint8Array>();
  for (let i = 0, at = view.getUint32(end + 16, true); i < count; ++i) {
    record(at, entryBytes, entryMark);
    const [method, size] = [view.getUint16(at + 10, true), view.getUint32(at + 24, true)];
    const pathEnd = at + entryBytes + view.getUint16(at + 28, true);
    const path = new TextDecoder().decode(archive.subarray(at + entryBytes, pathEnd));
    const start = view.getUint32(at + 42, true);
    if (method !== 0) throw broken(`${path} is compressed, which PyTorch does not do`);
    record(start, fileBytes, fileMark);
    const data = start + fileBytes + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    if (data + size > archive.length) throw broken(`${path} ends behind the archive`);
    files.set(path, archive.subarray(data, data + size));
    at = pathEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return files;
}
