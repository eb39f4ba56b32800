// Reads a chat template in its own file: additional_chat_templates/tool_use.jinja. transformers saves and loads models
// this way (src/transformers/utils/hub.py, CHAT_TEMPLATE_DIR); the default one is chat_template.jinja. Few models have
// such files, so this is loaded with the first.

import { QuintetError } from '../../base/errors.js';
import type { ByteSource } from '../../sources/bytes/byte_source.js';

const maxBytes = 1 << 20;

/** Beginnings that no template has, as in src/formats/other_files.cc, which reads all other files. */
const otherKinds: readonly (readonly [RegExp, string])[] = [
  [/^PK\x03\x04/, 'a zip archive, which is how PyTorch saves'],
  [/^version https:\//, 'a Git LFS pointer, without the actual file'],
  [/^\s*<(!|html)/, 'a web page or XML'],
];

interface TemplateFile {
  /** The name of the template: that of its file, without folder and ending. */
  name: string;
  text: string;
  /** The size of the file. */
  bytes: number;
}

export async function readTemplate(source: ByteSource, path: string): Promise<TemplateFile> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new QuintetError('FORMAT', `${path}: not valid UTF-8`, { reason: 'invalid_utf8', cause });
    }
  };
  let text = '';
  let bytes = 0;
  for (let piece = await source.read(); piece; piece = await source.read()) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw new QuintetError('FORMAT', `${path}: a chat template has at most ${maxBytes} bytes`, { reason: 'limit' });
    text += decoded(piece);
  }
  text += decoded();
  const other = otherKinds.find(([beginning]) => beginning.test(text));
  if (other) throw new QuintetError('FORMAT', `${path}: it looks like ${other[1]}`, { reason: 'bad_magic' });
  return { name: path.slice(path.indexOf('/') + 1, -'.jinja'.length), text, bytes };
}
