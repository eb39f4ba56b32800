// The report of a build on the site and its index.

import type { LeftOutPage } from './selection.js';

export interface SiteReport {
  /** Folder of the index; '' if it was not written to one. */
  out: string;
  /** Pages that are searched. */
  pages: number;
  sections: number;
  passages: number;
  /** Most pages first. */
  languages: { lang: string; pages: number; sections: number; passages: number }[];
  /** The model of the vectors; undefined if only words are searched. */
  model?: string;
  /** The transformer that pages may load. */
  embedder?: string;
  /** Files of the index and the scripts next to it. */
  files: number;
  bytes: number;
  /** A visitor's downloads, measured with titles of the site as queries. */
  visit?: VisitCost;
  /** Pages that were the same as at the last build. */
  unchangedPages: number;
  /** Pages that are not searched, and why. */
  leftOut: LeftOutPage[];
  /** Pages that are searched by their title only. */
  withoutText: string[];
  /** Pages of which only the beginning was read, and why. */
  cutOff: LeftOutPage[];
  /** The pages that took longest to read, slowest first. */
  slowest: { url: string; seconds: number }[];
  seconds: number;
}

/** In bytes, as compressed as a usual host sends them. */
export interface VisitCost {
  /** The element with all scripts that it starts. */
  scripts: number;
  /** The mean of first queries, with the scripts. */
  first: number;
  /** The mean of the queries after them. */
  next: number;
}

/** Several lines. */
export function reportText(report: SiteReport): string {
  const { out, pages, sections, passages, languages, model, embedder, files, bytes, visit, unchangedPages, seconds } =
    report;
  const rows: readonly (readonly [what: string, value: string])[] = [
    ['pages', `${count(pages)} in ${count(sections)} sections and ${count(passages)} passages`],
    ['languages', languages.map((row) => `${row.lang || 'unknown'} ${count(row.pages)}`).join(', ')],
    ['meaning', model ?? 'no: words only'],
    ...(embedder === undefined ? [] : [['embedder', embedder] as const]),
    ['files', `${count(files)}, ${size(bytes)}`],
    ...(visit ? [['first query', `${size(visit.first)}, of which ${size(visit.scripts)} scripts`] as const] : []),
    ...(visit ? [['next queries', `${size(visit.next)} each`] as const] : []),
    ['time', `${seconds.toFixed(1)} s; ${count(unchangedPages)} of ${count(pages)} pages were as before`],
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  return [
    `Search of the site in ${out}:`,
    ...rows.map(([what, value]) => `  ${what.padEnd(width)}  ${value}`),
    ...listed('left out', byReason(report.leftOut)),
    ...listed('read in part', byReason(report.cutOff)),
    ...listed('without text, found by their titles', report.withoutText),
  ].join('\n');
}

/** The number of pages of a list that are named. */
const maxNamed = 5;

function listed(what: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${what}:`, ...shortened(items, '  ')];
}

function shortened(items: readonly string[], indent: string): string[] {
  const more = items.length - maxNamed;
  return [
    ...items.slice(0, maxNamed).map((item) => indent + item),
    ...(more > 0 ? [`${indent}and ${count(more)} more`] : []),
  ];
}

function byReason(pages: readonly LeftOutPage[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { url, reason } of pages) groups.set(reason, [...(groups.get(reason) ?? []), url]);
  const rows = [...groups].sort(([, a], [, b]) => b.length - a.length);
  return rows.map(
    ([reason, urls]) => `${urls[0]}${urls.length > 1 ? ` and ${count(urls.length - 1)} more` : ''}: ${reason}`,
  );
}

const count = (value: number): string => value.toLocaleString('en-US');
const size = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
