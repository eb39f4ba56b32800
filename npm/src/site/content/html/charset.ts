// The encoding of a page: its byte order mark, else a <meta> among its first bytes, else UTF-8 (the order of the HTML
// standard, "determining the character encoding", without the servers that a folder does not have).

const marks: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];

/** Browsers look at the first 1024 bytes; long comments of licenses come first on many sites. */
const scanned = 4096;

export function decodeHtml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  return encoding === 'windows-1252'
    ? text.replace(/[\u0080-\u009f]/g, (c) => windows1252[c.charCodeAt(0) - 0x80]!)
    : text;
}

/** The characters from 0x80 on, where some versions of Node leave the control characters of ISO-8859-1. */
const windows1252 = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'];

/** A label that TextDecoder supports. */
function encodingOf(bytes: Uint8Array): string {
  const mark = marks.find(([start]) => start.every((byte, i) => bytes[i] === byte));
  if (mark) return mark[1];
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, scanned)).replace(/<!--[^]*?(?:-->|$)/g, '');
  const declared =
    /<meta\b[^<>]*?\bcharset\s*=\s*(?:["']\s*)?([^\s"'/>;]+)/i.exec(start) ??
    /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)["']/i.exec(start);
  // A <meta> that can be read is not in UTF-16, even if it claims to be.
  return declared && !/^utf-?16|^(csunicode|iso-10646-ucs-2|ucs-2|unicode)/i.test(declared[1]!)
    ? knownLabel(declared[1]!)
    : 'utf-8';
}

function knownLabel(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
