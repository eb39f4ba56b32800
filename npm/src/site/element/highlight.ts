// Marks words on the page that a result leads to, without a change of its elements
// (https://drafts.csswg.org/css-highlight-api-1/).

import { wordsParameter } from './links.js';

const name = 'quintet-search';
/** More would make a large page slow. */
const maxRanges = 2000;
const letter = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Marks `words`, by default those that the address of the page names (`?quintet-highlight=…`), in `root`. The style is
 * that of `::highlight(quintet-search)`. Returns the number of places; 0 in browsers without custom highlights.
 */
export function highlightWords({
  root = document.body,
  words = wordsOfAddress(),
}: {
  root?: Element;
  words?: readonly string[];
} = {}): number {
  if (typeof Highlight === 'undefined' || !words.length) return 0;
  const ranges = rangesOf(root, words);
  addStyle();
  CSS.highlights.set(name, new Highlight(...ranges));
  return ranges.length;
}

let hasStyle = false;

/** In a layer, so that any style of the page comes before it. */
function addStyle(): void {
  if (hasStyle) return;
  hasStyle = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer ${name} { ::highlight(${name}) { background-color: Mark; color: MarkText } }`);
  document.adoptedStyleSheets.push(sheet);
}

const wordsOfAddress = () =>
  (new URLSearchParams(location.search).get(wordsParameter) ?? '').split(/\s+/).filter(Boolean);

function rangesOf(root: Element, words: readonly string[]): Range[] {
  const wanted = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(wanted.sort((a, b) => b.length - a.length).join('|'), 'giu');
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node: Node | null; (node = walker.nextNode()) && ranges.length < maxRanges; ) {
    if (/^(?:script|style|template|noscript)$/i.test(node.parentElement?.tagName ?? '')) continue;
    const text = node.nodeValue ?? '';
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (isInside(text, index)) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      ranges.push(range);
    }
  }
  return ranges.slice(0, maxRanges);
}

const wordsWithSpaces = /[\p{L}\p{N}]/u;
const scriptsWithout =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether a match begins within a word. It may end within one, since often only the stem is marked. */
function isInside(text: string, index: number): boolean {
  const first = text[index]!;
  return wordsWithSpaces.test(first) && !scriptsWithout.test(first) && letter.test(text[index - 1] ?? '');
}
