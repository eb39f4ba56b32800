// Collects the values of pages that visitors choose and sort by.

import type { SitePage } from '../page.js';
import { begin, type FolderWriter } from './stored_file.js';

type Values = Map<string, Map<string, number[]>>;

export class FilterFile {
  /** Pages, ascending, by value, by name. */
  private readonly filters: Values = new Map();
  private readonly sorts: Values = new Map();

  add({ filters, sort }: SitePage, page: number): void {
    for (const [name, values] of Object.entries(filters)) {
      for (const value of new Set(values)) addTo(this.filters, name, value, page);
    }
    for (const [name, value] of Object.entries(sort)) addTo(this.sorts, name, value, page);
  }

  /** Whether there is a file. */
  async write(folder: FolderWriter): Promise<boolean> {
    if (this.filters.size + this.sorts.size === 0) return false;
    const content = begin('filters', 0);
    for (const names of [this.filters, this.sorts]) {
      content.number(names.size);
      for (const [name, values] of names) {
        content.text(name);
        content.number(values.size);
        for (const [value, pages] of values) {
          content.text(value);
          content.number(pages.length);
          let before = 0;
          for (const page of pages) {
            content.number(page - before);
            before = page;
          }
        }
      }
    }
    await folder.content('filters', 0, content);
    return true;
  }
}

function addTo(names: Values, name: string, value: string, page: number): void {
  let values = names.get(name);
  if (!values) names.set(name, (values = new Map()));
  const pages = values.get(value);
  if (pages) pages.push(page);
  else values.set(value, [page]);
}
