// The text of an element, on one line.

import { attributeOf, type Element, walk } from './dom.js';
import { kindOf } from './element_kinds.js';

/**
 * Runs of white space become one space, and none is left at the ends. Lone surrogates, which no file can hold, are
 * replaced.
 */
export function oneLine(text: string): string {
  // No expression that repeats: engines may remember each character of a run, and millions are too much for their
  // stack.
  const words = text.split(/[\s\u0085]/).filter((word) => word !== '');
  return words.join(' ').replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * In UTF-16 units. What is longer is neither title nor value: elements in elements could each have the whole page as
 * their text.
 */
const maxText = 2000;

/** The beginning of it, without elements that are not text of the page or are marked with data-pagefind-ignore. */
export function textOf(element: Element): string {
  let text = '';
  walk(element, {
    enter(child) {
      const kind = kindOf(child);
      if (kind !== 'inline') text += ' ';
      return kind !== 'dropped' && !isSymbolLink(child) && attributeOf(child, 'data-pagefind-ignore') === undefined;
    },
    leave(child) {
      if (kindOf(child) !== 'inline') text += ' ';
    },
    text(part) {
      text += part.slice(0, maxText);
    },
    isDone: () => text.length >= maxText,
  });
  return oneLine(text.slice(0, maxText));
}

/**
 * Whether an element is a link within the page whose text has no word, such as the ¶ and # that headings have for
 * themselves.
 */
export function isSymbolLink(element: Element): boolean {
  if (element.tagName !== 'a' || !attributeOf(element, 'href')?.includes('#')) return false;
  let hasWord = false;
  let hasText = false;
  walk(element, {
    enter: () => true,
    text(part) {
      hasText ||= /\S/.test(part);
      hasWord ||= /[\p{L}\p{N}]/u.test(part);
    },
    isDone: () => hasWord,
  });
  return hasText && !hasWord;
}
