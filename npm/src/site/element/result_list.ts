// The list of results: pages, and under each its sections. Every line is an option and a link.

import type { SiteExcerpt, SiteHit } from '../types.js';
import { element, icon, setAttributes } from './dom.js';
import { markedNodes } from './excerpt.js';
import { hash, page as pageIcon } from './icons.js';
import { type Highlighting, linkTo } from './links.js';
import { fillTemplate } from './template.js';

export interface ResultsView {
  /** The folder that the addresses of pages are relative to. */
  root: URL;
  highlighting: Highlighting;
  /** The author's own rendering of a result, if there is one. */
  template: HTMLTemplateElement | null;
}

/** Sections of a page: more would push other pages off the screen. */
const maxSections = 3;

interface Line {
  key: string;
  kind: 'page' | 'section';
  href: string;
  title: string;
  excerpt: SiteExcerpt | undefined;
  hit: SiteHit;
}

export class ResultList {
  /** The listbox. */
  readonly element = element('div', { role: 'listbox', part: 'results', id: 'results' });
  #view: ResultsView;
  #groups = new Map<string, HTMLElement>();
  #active: HTMLAnchorElement | undefined;
  #numbered = 0;

  constructor(label: string, view: ResultsView) {
    this.#view = view;
    this.element.setAttribute('aria-label', label);
  }

  get options(): HTMLAnchorElement[] {
    return [...this.element.querySelectorAll('a')];
  }

  get active(): HTMLAnchorElement | undefined {
    return this.#active;
  }

  /** Makes an option the one that Enter opens; undefined: none. */
  activate(option: HTMLAnchorElement | undefined): void {
    this.#active?.setAttribute('aria-selected', 'false');
    this.#active = option;
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
  }

  /** Shows an answer. What stays keeps its element, so that nothing flickers and the active option stays active. */
  show(hits: readonly SiteHit[]): void {
    const groups = new Map<string, HTMLElement>();
    for (const hit of hits) {
      const lines = this.#linesOf(hit);
      if (!lines.length || groups.has(hit.url)) continue;
      const group = this.#groups.get(hit.url) ?? element('div', { role: 'group', part: 'result' });
      group.setAttribute('aria-label', hit.title);
      replaceWhere(
        group,
        lines.map((line) => this.#option(group, line)),
      );
      groups.set(hit.url, group);
    }
    this.#groups = groups;
    replaceWhere(this.element, [...groups.values()]);
    if (this.#active && !this.element.contains(this.#active)) this.activate(undefined);
  }

  #linesOf(hit: SiteHit): Line[] {
    const sections = hit.sections.filter(({ anchor }) => anchor).slice(0, maxSections);
    const isRepeated = sections.some(({ excerpt }) => excerpt.text === hit.excerpt.text);
    const line = (kind: Line['kind'], anchor: string, title: string, excerpt: SiteExcerpt): Line[] => {
      const { root, highlighting } = this.#view;
      const href = linkTo(root, hit.url, anchor, excerpt, highlighting);
      const isShown = kind === 'section' || !isRepeated;
      return href ? [{ key: anchor, kind, href, title, excerpt: isShown ? excerpt : undefined, hit }] : [];
    };
    return [
      ...line('page', '', hit.title || hit.url, hit.excerpt),
      ...sections.flatMap(({ anchor, title, excerpt }) => line('section', anchor, title || anchor, excerpt)),
    ];
  }

  #option(group: HTMLElement, line: Line): HTMLAnchorElement {
    const old = [...group.querySelectorAll('a')].find(({ dataset }) => dataset.key === line.key);
    const option =
      old ??
      element('a', { role: 'option', tabindex: '-1', 'aria-selected': 'false', id: `option-${++this.#numbered}` });
    option.dataset.key = line.key;
    setAttributes(option, { href: line.href, part: `option ${line.kind}` });
    const { template } = this.#view;
    const path = pathOf(line.hit.url);
    if (template) option.replaceChildren(fillTemplate(template, { ...line, path }, this.#view.root));
    else option.replaceChildren(...contentOf(line, path));
    return option;
  }
}

function contentOf({ kind, title, excerpt }: Line, path: string): Node[] {
  const texts = element('span', { class: 'texts' });
  if (kind === 'page' && path) texts.append(element('span', { part: 'path', dir: 'auto' }, path));
  texts.append(element('span', { part: 'title', dir: 'auto' }, title));
  if (excerpt?.text) texts.append(element('span', { part: 'excerpt', dir: 'auto' }, ...markedNodes(excerpt)));
  return [icon(kind === 'page' ? pageIcon : hash), texts];
}

/** 'guide › start' for `guide/start.html`. */
function pathOf(url: string): string {
  const folders = url.split(/[?#]/)[0]!.split('/').filter(Boolean);
  if (folders.at(-1)?.startsWith('index.')) folders.pop();
  return folders.map((name) => decoded(name).replace(/\.html?$/, '')).join(' › ');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Gives a parent these children, and touches none that stands where it should. */
function replaceWhere(parent: Element, children: readonly Element[]): void {
  const kept = new Set(children);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  children.forEach((child, i) => {
    if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
  });
}
