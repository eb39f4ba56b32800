// Chat templates in files of their own, by name: additional_chat_templates/tool_use.jinja. transformers saves and loads models so
// (src/transformers/utils/hub.py, CHAT_TEMPLATE_DIR); the default one is chat_template.jinja.

import { QuintetError } from '../base/errors.js';
import type { ByteSource } from '../bytes/byte_source.js';
import { isTemplateFile } from '../bytes/folder_files.js';
import type { ChatDescription } from '../chat/types.js';
import type { TakesFile } from './feed_files.js';

const maxBytes = 1 << 20;

/** The templates of one model, collected while its files are read. */
export class TemplateFiles {
  private readonly templates: [name: string, template: string][] = [];

  /** Reads a file, if it is such a template. */
  readonly take: TakesFile = (path) => {
    if (!isTemplateFile(path)) return undefined;
    return async (source) => {
      const { text, bytes } = await textOf(source, path);
      this.templates.push([nameOf(path), text]);
      return bytes;
    };
  };

  /** With those that the other files have. */
  addTo({ templates, ...others }: ChatDescription): ChatDescription {
    return { ...others, templates: { ...templates, ...Object.fromEntries(this.templates) } };
  }
}

const nameOf = (path: string) => path.slice(path.indexOf('/') + 1, -'.jinja'.length);

async function textOf(source: ByteSource, name: string): Promise<{ text: string; bytes: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (cause) {
      throw new QuintetError('FORMAT', `${name}: not valid UTF-8`, { reason: 'invalid_utf8', cause });
    }
  };
  let text = '';
  let bytes = 0;
  for (let piece = await source.read(); piece; piece = await source.read()) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new QuintetError('FORMAT', `${name}: a chat template has at most ${maxBytes} bytes`, { reason: 'limit' });
    text += decoded(piece);
  }
  return { text: text + decoded(), bytes };
}
