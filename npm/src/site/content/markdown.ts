// A page of Markdown: turned into HTML, with the ids of headings that GitHub gives them, and read as that.

import { Marked } from 'marked';
import type { ExtractedPage } from './extracted_page.js';
import { frontMatterOf } from './front_matter.js';
import { decodeHtml } from './html/charset.js';
import { oneLine } from './html/element_text.js';
import { readHtmlText } from './html/html_page.js';
import { languageTag } from './html/page_facts.js';

export function readMarkdownPage(bytes: Uint8Array): ExtractedPage {
  const { fields, body } = frontMatterOf(decodeHtml(bytes));
  const page = readHtmlText(`<main>${htmlOf(body)}</main>`);
  const description = oneLine(fields.get('description') ?? '');
  return {
    ...page,
    lang: languageTag(fields.get('lang') ?? fields.get('language') ?? ''),
    titles: { ...page.titles, own: oneLine(fields.get('title') ?? '') },
    meta: description ? { description, ...page.meta } : page.meta,
    isUnlisted: fields.get('draft') === 'true',
    hasMarkedBody: undefined,
  };
}

function htmlOf(markdown: string): string {
  const ids = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ depth, tokens, text }) {
        // VitePress and others: `## Title {#id}`.
        const [, given] = /\{#([^\s{}]+)\}\s*$/.exec(text) ?? [];
        const content = this.parser
          .parseInline(tokens)
          .replace(/\{#[^\s{}]+\}\s*$/, '')
          .trimEnd();
        return `<h${depth} id="${given ?? uniqueId(content, ids)}">${content}</h${depth}>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/**
 * As github-slugger does: letters, digits, hyphens and underscores stay, spaces become hyphens, repeated ids get a
 * number.
 */
function uniqueId(html: string, ids: Map<string, number>): string {
  const text = html.replace(/<[^<>]*>/g, '').replace(/&[a-z0-9#]+;/gi, '');
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  const count = ids.get(slug) ?? 0;
  ids.set(slug, count + 1);
  if (count === 0) return slug;
  const numbered = `${slug}-${count}`;
  ids.set(numbered, 1);
  return numbered;
}
