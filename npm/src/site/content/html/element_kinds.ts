// The role of each HTML element in the text of a page.

import { attributeOf, type Element } from './dom.js';

export type ElementKind =
  /** No text of the page. */
  | 'dropped'
  /** Within a sentence. Elements that are not listed are inline, as in browsers. */
  | 'inline'
  /** Begins and ends a paragraph. */
  | 'block'
  /** Separates words. */
  | 'space'
  /** A row of a table is a paragraph, in which cells are separated. */
  | 'cell'
  | 'heading'
  | 'code';

const kinds: readonly (readonly [kind: ElementKind, names: string])[] = [
  ['dropped', 'head script style noscript template svg iframe object embed canvas audio video dialog nav math'],
  ['dropped', 'input select textarea button label datalist progress meter noframes frameset portal'],
  [
    'block',
    'address article aside blockquote body caption center colgroup dd details dir div dl dt fieldset figcaption',
  ],
  [
    'block',
    'figure footer form header hgroup hr legend li main menu ol optgroup option p search section summary table',
  ],
  ['block', 'tbody tfoot thead tr ul'],
  ['cell', 'td th'],
  ['space', 'br wbr img'],
  ['heading', 'h1 h2 h3 h4 h5 h6'],
  ['code', 'pre listing xmp plaintext'],
];

const kindOfName = new Map(kinds.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind] as const)));

/** Landmarks whose text is about the site instead of the page (WAI-ARIA). */
const droppedRoles = new Set([
  'navigation',
  'search',
  'menu',
  'menubar',
  'toolbar',
  'dialog',
  'alertdialog',
  'tooltip',
]);

/**
 * Classes of elements that generators add to pages: links of headings to themselves, numbers of lines, texts for screen
 * readers only, and navigation that is not in a <nav>.
 */
const droppedClasses = new Set(
  [
    'headerlink permalink header-anchor heading-anchor anchor-link anchorjs-link hash-link sl-anchor-link anchor-icon',
    'linenos lineno linenodiv line-numbers line-numbers-rows line-numbers-wrapper rouge-gutter gutter',
    'sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only skip-link skip-to-content',
    'navheader navfooter breadcrumb breadcrumbs toc table-of-contents toplang bottomlang prev-next pagination',
  ]
    .join(' ')
    .split(' '),
);

export function kindOf(element: Element): ElementKind {
  const known = kindOfName.get(element.tagName);
  if (known === 'dropped' || isHidden(element)) return 'dropped';
  // Names of custom elements have a hyphen; most of them are boxes.
  return known ?? (element.tagName.includes('-') ? 'space' : 'inline');
}

function isHidden(element: Element): boolean {
  for (const { name, value } of element.attrs) {
    if (name === 'class' && value.split(/\s+/).some((each) => droppedClasses.has(each.toLowerCase()))) return true;
    if (name === 'role' && droppedRoles.has(value.toLowerCase())) return true;
    if (name === 'aria-hidden' && value === 'true') return true;
    // The other tabs of a group are hidden, too, and readers do open them.
    if (name === 'hidden' && value !== 'until-found' && attributeOf(element, 'role') !== 'tabpanel') return true;
  }
  return false;
}

/** Repeated on all pages of a site, if outside the marked main content. */
export function isFurniture(element: Element): boolean {
  const role = attributeOf(element, 'role')?.toLowerCase();
  return /^(header|footer|aside)$/.test(element.tagName) || /^(banner|contentinfo|complementary)$/.test(role ?? '');
}
