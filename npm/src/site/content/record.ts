// Pages that are not files: anything with a URL and a text.

import { inputError } from '../../base/errors.js';
import { isA, typeName } from '../../base/values.js';
import type { Block } from './block.js';
import type { ExtractedPage } from './extracted_page.js';
import { oneLine } from './html/element_text.js';
import { languageTag } from './html/page_facts.js';
import { finishedSections } from './page_blocks.js';

/** A page for the index, given by its text. */
export interface SiteRecord {
  /** Relative to the root of the site, or absolute for a page that is elsewhere. */
  url: string;
  /** Plain text; empty lines separate paragraphs. */
  content: string;
  title?: string;
  /** BCP 47, such as `en`; by default the most frequent language of the site. */
  lang?: string;
  meta?: Record<string, string>;
  filters?: Record<string, readonly string[]>;
  /** Values to sort by. If all pages have numbers, they are compared as such. */
  sort?: Record<string, string>;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTable = (isValue: (value: unknown) => boolean) => (value: unknown) =>
  isA(value, 'Object') && Object.values(value as object).every(isValue);

const fields: Record<
  keyof SiteRecord,
  readonly [expected: string, isOptional: boolean, check: (value: unknown) => boolean]
> = {
  url: ['a string', false, (value) => isText(value) && value !== ''],
  content: ['a string', false, isText],
  title: ['a string', true, isText],
  lang: ['a string', true, isText],
  meta: ['an object of strings', true, isTable(isText)],
  filters: ['an object of arrays of strings', true, isTable((value) => Array.isArray(value) && value.every(isText))],
  sort: ['an object of strings', true, isTable(isText)],
};

/** @throws QuintetError INPUT */
export function checkRecord(record: SiteRecord): void {
  if (!isA(record, 'Object')) throw inputError('wrong_type', `a record must be an object, not ${typeName(record)}`);
  for (const name of Object.keys(record)) {
    if (!Object.hasOwn(fields, name)) throw inputError('unknown_option', `a record has no field '${name}'`);
  }
  for (const [name, [expected, isOptional, check]] of Object.entries(fields)) {
    const value = record[name as keyof SiteRecord];
    if (value === undefined && isOptional) continue;
    if (!check(value)) {
      throw inputError('wrong_type', `the field '${name}' of a record must be ${expected}, not ${typeName(value)}`);
    }
  }
}

/** `record` is checked. */
export function readRecord({
  content,
  title = '',
  lang = '',
  meta = {},
  filters = {},
  sort = {},
}: SiteRecord): ExtractedPage {
  const paragraphs = content.split(/\n\s*\n/).map(oneLine);
  const blocks = paragraphs.filter(Boolean).map((text): Block => ({ text, isCode: false, weight: 1 }));
  return {
    lang: languageTag(lang),
    titles: { given: oneLine(title) || undefined, own: '', heading: '' },
    meta: entriesOf(meta, oneLine),
    filters: entriesOf(filters, (values) => [...new Set(values.map(oneLine))]),
    sort: entriesOf(sort, oneLine),
    sections: finishedSections([{ anchor: '', title: '', trail: [], blocks }]),
    canonical: undefined,
    isUnlisted: false,
    isRedirect: false,
    hasMarkedBody: undefined,
    cutOff: undefined,
  };
}

// Object.fromEntries defines properties with any names.
const entriesOf = <T, U>(table: Record<string, T>, read: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, read(value)]));
