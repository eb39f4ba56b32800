import { UnreadableFile } from './passage.js';

const byteOrderMarks = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
];

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark. Anything else is refused. */
export function decode(name: string, bytes: Uint8Array): string {
  const marked = byteOrderMarks.find(({ mark }) => mark.every((byte, i) => bytes[i] === byte));
  if (!marked && bytes.includes(0)) throw new UnreadableFile(`${name} is not a text file.`);
  try {
    return new TextDecoder(marked?.encoding ?? 'utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    throw new UnreadableFile(`${name} is not a text file, or not encoded in UTF-8.`);
  }
}
