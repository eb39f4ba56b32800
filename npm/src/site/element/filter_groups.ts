// Filters of the site: a group of checkboxes for each, with the number of pages that have the value.

import { element } from './dom.js';

type Counts = Record<string, Record<string, number>>;

export class FilterGroups {
  readonly element = element('details', { part: 'filters', hidden: true });
  readonly #label: string;
  readonly #lang: string;
  readonly #changed: () => void;

  constructor({ filters, lang }: { filters: string; lang: string }, changed: () => void) {
    this.#label = filters;
    this.#lang = lang;
    this.#changed = changed;
    this.element.addEventListener('change', () => this.#changed());
  }

  show(counts: Counts): void {
    const groups = Object.entries(counts).filter(([, values]) => Object.keys(values).length > 0);
    this.element.hidden = groups.length === 0;
    this.element.replaceChildren(
      element('summary', { part: 'filters-title' }, this.#label),
      ...groups.map(([name, values]) => this.#group(name, values)),
    );
  }

  #group(name: string, values: Record<string, number>): HTMLElement {
    const number = new Intl.NumberFormat(this.#lang);
    const boxes = Object.entries(values).map(([value, count]) => {
      const box = element('input', { type: 'checkbox', part: 'filter-box', name, value });
      const shown = element('span', { part: 'filter-value', dir: 'auto' }, value);
      return element(
        'label',
        { part: 'filter' },
        box,
        shown,
        element('span', { part: 'filter-count' }, number.format(count)),
      );
    });
    return element('fieldset', { part: 'filter-group' }, element('legend', { dir: 'auto' }, name), ...boxes);
  }

  /** The checked values. */
  get chosen(): Record<string, string[]> {
    const chosen = new Map<string, string[]>();
    for (const { name, value } of this.element.querySelectorAll<HTMLInputElement>('input:checked')) {
      chosen.set(name, [...(chosen.get(name) ?? []), value]);
    }
    return Object.fromEntries(chosen);
  }
}
