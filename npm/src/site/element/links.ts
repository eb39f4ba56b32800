// The addresses of results.

import type { SiteExcerpt } from '../types.js';

/** Highlighting in the target page: by the browser, by `highlightWords`, or none. */
export type Highlighting = 'fragment' | 'words' | 'none';

/** The parameter of a link whose target marks words. */
export const wordsParameter = 'quintet-highlight';

/** The address of a result; undefined for one that a page may not link to, such as `javascript:`. */
export function linkTo(
  root: URL,
  url: string,
  anchor: string,
  excerpt: SiteExcerpt,
  highlighting: Highlighting,
): string | undefined {
  const target = urlOf(url, root);
  if (!target) return undefined;
  if (target.protocol !== root.protocol && !/^https?:$/.test(target.protocol)) return undefined;
  if (highlighting === 'words') {
    const words = wordsMarked(excerpt);
    if (words.length) target.searchParams.set(wordsParameter, words.join(' '));
  }
  if (anchor) target.hash = anchor;
  const directive = highlighting === 'fragment' ? textDirective(excerpt) : '';
  if (!directive) return target.href;
  return `${target.href}${target.hash ? '' : '#'}${directive}`;
}

/** An address relative to another; undefined if it is none. */
export function urlOf(url: string, root: URL): URL | undefined {
  try {
    return new URL(url, root);
  } catch {
    return undefined;
  }
}

/** The marked texts of an excerpt, each once. */
function wordsMarked({ text, marks }: SiteExcerpt): string[] {
  return [...new Set(marks.map(([from, to]) => text.slice(from, to).toLowerCase()))];
}

/** Shorter texts may stand elsewhere on the page, longer ones be broken by other elements. */
const minLength = 16;
const maxLength = 90;
const maxWords = 9;
/** The places where the text of one element may end: browsers look for it in a single block. */
const borders = /[\n\r…|]|\s{2,}|[.!?:;]\s/;

/**
 * The words round the first mark, as a text directive (https://wicg.github.io/scroll-to-text-fragment/): `:~:text=…`.
 * '' where none would be safe. A browser that does not find the text, or does not support directives, goes to the
 * anchor.
 */
export function textDirective({ text, marks }: SiteExcerpt): string {
  const [first] = marks;
  if (!first) return '';
  for (let at = 0; at < text.length; ) {
    const border = borders.exec(text.slice(at));
    const end = border ? at + border.index : text.length;
    if (first[0] < end) return first[0] < at ? '' : directiveOf(phraseAround(text.slice(at, end), first[0] - at));
    at = border ? end + border[0].length : text.length;
  }
  return '';
}

/** The word at `offset` with others before and after it. */
function phraseAround(clause: string, offset: number): string {
  const words = [...clause.matchAll(/\S+/g)];
  let from = words.filter(({ index }) => index <= offset).length - 1;
  if (from < 0) return '';
  let to = from;
  const phrase = (a: number, b: number) => clause.slice(words[a]!.index, words[b]!.index + words[b]![0].length);
  for (let grown = true; grown && to - from + 1 < maxWords; ) {
    grown = false;
    if (to + 1 < words.length && phrase(from, to + 1).length <= maxLength) {
      ++to;
      grown = true;
    }
    if (from > 0 && phrase(from - 1, to).length <= maxLength) {
      --from;
      grown = true;
    }
  }
  return phrase(from, to);
}

function directiveOf(phrase: string): string {
  if (phrase.length < minLength || phrase.length > maxLength || !phrase.includes(' ')) return '';
  // Half a character has no address.
  if (/\p{Surrogate}/u.test(phrase)) return '';
  // A dash and a comma have a meaning in directives.
  return `:~:text=${encodeURIComponent(phrase).replaceAll('-', '%2D')}`;
}
