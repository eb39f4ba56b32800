// Chat templates in files of their own, by name: additional_chat_templates/tool_use.jinja. transformers saves and loads models so
// (src/transformers/utils/hub.py, CHAT_TEMPLATE_DIR); the default one is chat_template.jinja.

import { lazyPart } from '../../base/lazy_part.js';
import type { ByteSource } from '../../sources/bytes/byte_source.js';
import { isTemplateFile } from '../../sources/folder.js';
import type { ChatDescription } from '../../chat/types.js';

const reading = lazyPart(() => import('./template_reading.js'), 'readTemplate');

/** The templates of one model, collected while its files are read. */
export class TemplateFiles {
  private readonly templates: [name: string, template: string][] = [];

  /** What reads a file and returns its size, if it is such a template. */
  take(path: string): ((source: ByteSource) => Promise<number>) | undefined {
    if (!isTemplateFile(path)) return undefined;
    return async (source) => {
      const { text, bytes } = await (await reading()).readTemplate(source, path);
      this.templates.push([nameOf(path), text]);
      return bytes;
    };
  }

  /** With those that the other files have. */
  addTo({ templates, ...others }: ChatDescription): ChatDescription {
    return { ...others, templates: { ...templates, ...Object.fromEntries(this.templates) } };
  }
}

const nameOf = (path: string) => path.slice(path.indexOf('/') + 1, -'.jinja'.length);
