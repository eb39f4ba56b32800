// Answers as elements. Nothing of an answer becomes HTML: what a model writes is parsed as Markdown, and every part of
// it is created as one of the elements below, or stays text. Pictures are not loaded.

import { Lexer, type Token, type Tokens } from 'marked';

import { element } from '../shared/dom.js';

/** Deeper lists and quotations stay text. */
const DEPTH = 30;

export function markdown(text: string): Node[] {
  try {
    return rendered(Lexer.lex(text), 0);
  } catch {
    // Nested more deeply than the parser can follow.
    return [verbatim(text)];
  }
}

const verbatim = (text: string): Node => element('span', { className: 'verbatim' }, text);

type Renderer = (token: never, children: () => Node[]) => Node | string;

const renderers: Readonly<Record<string, Renderer>> = {
  space: () => '',
  def: () => '',
  br: () => element('br', {}),
  hr: () => element('hr', {}),
  paragraph: (_, children) => element('p', {}, ...children()),
  blockquote: (_, children) => element('blockquote', {}, ...children()),
  strong: (_, children) => element('strong', {}, ...children()),
  em: (_, children) => element('em', {}, ...children()),
  del: (_, children) => element('del', {}, ...children()),
  codespan: ({ text }: Tokens.Codespan) => element('code', {}, text),
  code: ({ text }: Tokens.Code) => element('pre', { tabIndex: 0 }, element('code', {}, text)),
  // The page has other headings above these.
  heading: ({ depth }: Tokens.Heading, children) => element(depth < 3 ? 'h3' : 'h4', {}, ...children()),
  escape: ({ text }: Tokens.Escape) => text,
  text: ({ text, tokens }: Tokens.Text, children) => (tokens ? fragment(children()) : decoded(text)),
  checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  list_item: (_, children) => element('li', {}, ...children()),
  link: ({ href, raw }: Tokens.Link, children) => link(href, children) ?? raw,
  image: ({ href, text, raw }: Tokens.Image) => link(href, () => [document.createTextNode(text || href)]) ?? raw,
};

function rendered(tokens: readonly Token[], depth: number): Node[] {
  return tokens.map((token) => {
    const node = depth < DEPTH ? renderedToken(token, depth) : verbatim(token.raw);
    return typeof node === 'string' ? document.createTextNode(node) : node;
  });
}

function renderedToken(token: Token, depth: number): Node | string {
  const within = (tokens: readonly Token[] | undefined) => rendered(tokens ?? [], depth + 1);
  if (token.type === 'list') return list(token as Tokens.List, within);
  if (token.type === 'table') return table(token as Tokens.Table, within);
  // HTML has none.
  const render = Object.hasOwn(renderers, token.type) ? renderers[token.type] : undefined;
  return render
    ? render(token as never, () => within('tokens' in token ? token.tokens : undefined))
    : verbatim(token.raw);
}

type Within = (tokens: readonly Token[]) => Node[];

function list({ ordered, start, items }: Tokens.List, within: Within): HTMLElement {
  const children = within(items);
  return ordered ? element('ol', { start: Number(start) || 1 }, ...children) : element('ul', {}, ...children);
}

function table({ header, rows }: Tokens.Table, within: Within): HTMLElement {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    element('tr', {}, ...cells.map(({ tokens }) => element(tag, {}, ...within(tokens))));
  const body = rows.map((cells) => row(cells, 'td'));
  const content = element('table', {}, element('thead', {}, row(header, 'th')), element('tbody', {}, ...body));
  return element('div', { className: 'table', tabIndex: 0 }, content);
}

/** Undefined unless it leads to a web page. */
function link(href: string, children: () => Node[]): Node | undefined {
  if (!/^https?:\/\//i.test(href)) return undefined;
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children());
}

function fragment(children: Node[]): Node {
  const made = document.createDocumentFragment();
  made.append(...children);
  return made;
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};
const decoded = (text: string): string => text.replace(/&(?:lt|gt|amp|quot|#39|nbsp);/g, (name) => entities[name]!);
