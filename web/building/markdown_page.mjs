import { Marked } from 'marked';

/**
 * A page of Markdown: its title, as text and as HTML, its first sentence, and all of it as HTML. Headings have the ids
 * that GitHub gives them, so that links lead to the same places. `target(href)` returns where links lead; those without
 * a target become text.
 */
export function markdownPage(markdown, target) {
  const seen = new Map();
  const reader = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idOf(text, seen)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = target(href);
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      image: ({ href, text }) => `<img src="${escaped(target(href) ?? href)}" alt="${escaped(text)}">`,
    },
    hooks: {
      postprocess: (html) =>
        html
          .replaceAll('<table>', '<div class="docs-table" role="region" tabindex="0" aria-label="Table"><table>')
          .replaceAll('</table>', '</table></div>')
          .replaceAll('<pre>', '<pre tabindex="0">'),
    },
  });
  const tokens = reader.lexer(markdown);
  const heading = tokens.find(({ type, depth }) => type === 'heading' && depth === 1);
  const paragraph = tokens.find(({ type }) => type === 'paragraph');
  const plain = (token) => textOf(reader.parseInline(token?.text ?? ''));
  return {
    title: plain(heading),
    titleHtml: reader.parseInline(heading?.text ?? ''),
    description: /^.*?[.:](?=\s|$)/s.exec(plain(paragraph))?.[0].replace(/\s+/g, ' ') ?? '',
    html: reader.parse(markdown),
  };
}

/** Equals the id on GitHub. */
function idOf(heading, seen) {
  const id = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
  const times = seen.get(id) ?? 0;
  seen.set(id, times + 1);
  return times === 0 ? id : `${id}-${times}`;
}

/** Tags dropped: what is left is safe in an attribute. */
const textOf = (html) => html.replace(/<[^>]*>/g, '').replaceAll('"', '&quot;');

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (character) => entities[character]);
