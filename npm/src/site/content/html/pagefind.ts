// The attributes that control what Pagefind indexes (https://pagefind.app/docs/indexing/, metadata, filtering, sorts,
// weighting), read as Pagefind reads them.

import { attributeOf, type Element } from './dom.js';

/** A name, and its value where the attribute itself has it; without one, the value is the text of the element. */
export interface Capture {
  name: string;
  value: string | undefined;
}

/**
 * The values in `data-pagefind-meta`, `-filter` and `-sort`, separated by commas: `name` (the text of the element),
 * `name[attribute]`, and at the end `name:value`, which may contain anything.
 */
export function capturesOf(element: Element, attribute: string): Capture[] {
  const list = attributeOf(element, attribute);
  if (list === undefined) return [];
  const colon = list.indexOf(':');
  const captures = (colon < 0 ? list : list.slice(0, colon)).split(',').map((item): Capture => {
    const [, name = item, from] = /^([^:[\]]+)\[(.+)\]$/.exec(item.trim()) ?? [];
    return { name: name.trim(), value: from === undefined ? undefined : (attributeOf(element, from.trim()) ?? '') };
  });
  if (colon >= 0) captures.at(-1)!.value = list.slice(colon + 1);
  return captures.filter(({ name }) => name !== '');
}

/** The part of an element that is left out: its text, or also its attributes for the page. */
export function ignoredPart(element: Element): 'text' | 'all' | undefined {
  const value = attributeOf(element, 'data-pagefind-ignore')?.toLowerCase();
  if (value === undefined) return undefined;
  return ['', 'index', 'true'].includes(value) ? 'text' : 'all';
}

/** `data-pagefind-weight`, from 0 to 10. */
export function weightOf(element: Element): number | undefined {
  const value = attributeOf(element, 'data-pagefind-weight');
  if (value === undefined || value.trim() === '') return undefined;
  const weight = Number(value);
  return Number.isFinite(weight) ? Math.min(Math.max(weight, 0), 10) : undefined;
}

/** The values of the attributes that `data-pagefind-index-attrs` names, each a sentence. */
export function indexedAttributes(element: Element): string {
  const names = attributeOf(element, 'data-pagefind-index-attrs')?.split(',') ?? [];
  return names
    .map((name) => attributeOf(element, name.trim()) ?? '')
    .filter((value) => value.trim() !== '')
    .map((value) => ` ${value}${/[\p{L}\p{N}'")$*]$/u.test(value) ? '.' : ''} `)
    .join('');
}
