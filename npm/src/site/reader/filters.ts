// The values of pages that visitors choose and sort by.

import type { ByteReader } from '../format/byte_reader.js';

/** Pages, ascending, by value. */
type Values = Map<string, Uint32Array>;

export interface FilterTable {
  filters: Map<string, Values>;
  sorts: Map<string, Values>;
}

export function readFilters(reader: ByteReader, pages: number): FilterTable {
  const table = { filters: readNames(reader, pages), sorts: readNames(reader, pages) };
  reader.end();
  return table;
}

function readNames(reader: ByteReader, pages: number): Map<string, Values> {
  const names = new Map<string, Values>();
  for (let left = reader.count('names', 2); left > 0; --left) {
    const name = reader.text();
    const values: Values = new Map();
    for (let more = reader.count('values', 2); more > 0; --more) values.set(reader.text(), readPages(reader, pages));
    names.set(name, values);
  }
  return names;
}

function readPages(reader: ByteReader, pages: number): Uint32Array {
  const found = new Uint32Array(reader.count('pages'));
  let page = 0;
  for (let i = 0; i < found.length; ++i) {
    page += reader.number();
    if (page >= pages) throw reader.broken(`page ${page} of ${pages}`);
    found[i] = page;
  }
  return found;
}

/** Number of pages by value, by name. */
export function countsOf({ filters }: FilterTable): Record<string, Record<string, number>> {
  return Object.fromEntries(
    [...filters].map(([name, values]) => [
      name,
      Object.fromEntries([...values].map(([value, pages]) => [value, pages.length])),
    ]),
  );
}

/** A byte a page: 1 if it has one of the values of each filter. Filters without values choose all. */
export function chosenPages(
  { filters }: FilterTable,
  wanted: Readonly<Record<string, string | readonly string[]>>,
  pages: number,
): Uint8Array {
  const chosen = new Uint8Array(pages).fill(1);
  for (const [name, some] of Object.entries(wanted)) {
    const values = typeof some === 'string' ? [some] : some;
    if (values.length === 0) continue;
    const having = new Uint8Array(pages);
    for (const value of values) for (const page of filters.get(name)?.get(value) ?? []) having[page] = 1;
    having.forEach((has, page) => void (chosen[page]! &= has));
  }
  return chosen;
}

/** Numbers by their value, before texts by their letters; pages without a value last. */
export function orderBy({ sorts }: FilterTable, name: string, direction: 'asc' | 'desc', pages: number): Int32Array {
  const sign = direction === 'asc' ? 1 : -1;
  const ranked = [...(sorts.get(name) ?? [])].sort(([a], [b]) => sign * compare(a, b));
  const places = new Int32Array(pages).fill(ranked.length);
  ranked.forEach(([, some], place) => some.forEach((page) => void (places[page] = place)));
  return places;
}

function compare(one: string, other: string): number {
  const [a, b] = [Number(one), Number(other)];
  if (one.trim() !== '' && other.trim() !== '' && !Number.isNaN(a - b)) return a - b;
  return one < other ? -1 : 1;
}
