// Finds the part of a page that is its content.

import { attributeOf, type Document, type Element, walk } from './dom.js';
import { ignoredPart } from './pagefind.js';

export interface MainContent {
  roots: Element[];
  /** Whether the page marks this as its content: then headers and asides in it are part of that. */
  isMarked: boolean;
}

/** Ways to mark the content, best first. */
const marks: readonly ((element: Element) => boolean)[] = [
  (element) => attributeOf(element, 'data-pagefind-body') !== undefined,
  (element) => element.tagName === 'main',
  (element) => attributeOf(element, 'role')?.toLowerCase() === 'main',
  (element) => element.tagName === 'article',
  // A link to skip to the content may have such an id, too.
  (element) =>
    /^(div|section|td)$/.test(element.tagName) && commonIds.has(attributeOf(element, 'id')?.toLowerCase() ?? ''),
];

/** Class names and ids of the main content, for pages that do not use the elements for it. */
const commonIds = new Set([
  'main',
  'content',
  'main-content',
  'maincontent',
  'page-content',
  'page_content',
  'mw-content-text',
]);

/** All elements with the best mark that the page has, without those inside others. */
export function mainContent(document: Document): MainContent {
  const found: Element[][] = marks.map(() => []);
  const insideOf: number[] = marks.map(() => 0);
  let body: Element | undefined;
  walk(document, {
    enter(element) {
      if (ignoredPart(element) === 'all') return false;
      if (element.tagName === 'body') body = element;
      marks.forEach((isMarked, i) => {
        if (!isMarked(element)) return;
        if (insideOf[i] === 0) found[i]!.push(element);
        insideOf[i]! += 1;
      });
      return true;
    },
    leave(element) {
      marks.forEach((isMarked, i) => {
        if (isMarked(element)) insideOf[i]! -= 1;
      });
    },
  });
  const roots = found.find((elements) => elements.length > 0);
  return roots ? { roots, isMarked: true } : { roots: body ? [body] : [], isMarked: false };
}
