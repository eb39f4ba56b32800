// Results as the author of the page wants them: a `<template>` whose elements name their fields.

import type { SiteExcerpt, SiteHit } from '../types.js';
import { markedNodes } from './excerpt.js';
import { urlOf } from './links.js';

export interface TemplateValues {
  kind: 'page' | 'section';
  title: string;
  path: string;
  excerpt: SiteExcerpt | undefined;
  hit: SiteHit;
}

/**
 * A copy of the template, filled in: `data-field` is `title`, `path`, `excerpt` or `meta:NAME`, and `data-kind="page"`
 * or `"section"` keeps an element to options of one kind. What has no value is left out; a picture gets its `src`.
 */
export function fillTemplate(template: HTMLTemplateElement, values: TemplateValues, root: URL): DocumentFragment {
  const copy = template.content.cloneNode(true) as DocumentFragment;
  for (const part of copy.querySelectorAll<HTMLElement>('[data-kind]')) {
    if (part.dataset.kind !== values.kind) part.remove();
  }
  for (const field of copy.querySelectorAll<HTMLElement>('[data-field]')) fill(field, values, root);
  return copy;
}

function fill(field: HTMLElement, { title, path, excerpt, hit }: TemplateValues, root: URL): void {
  const name = field.dataset.field!;
  if (name === 'excerpt' && excerpt?.text) return field.replaceChildren(...markedNodes(excerpt));
  const text = new Map([...metaOf(hit), ['title', title], ['path', path]]).get(name);
  if (!text) return field.remove();
  if (field instanceof HTMLImageElement) field.src = urlOf(text, root)?.href ?? '';
  else field.replaceChildren(text);
}

const metaOf = ({ meta }: SiteHit) => Object.entries(meta).map(([name, text]) => [`meta:${name}`, text] as const);
