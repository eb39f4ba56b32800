// What a visitor downloads, measured by searching the index that was built.

import { brotliCompressSync } from 'node:zlib';

import { openSite } from '../open_site.js';
import type { VisitCost } from './report.js';

/** First queries that are measured. */
const visits = 5;
const queriesPerVisit = 4;

/** `titles`: of pages of the language with the most; undefined if there are none. */
export async function visitCost(
  folder: string,
  lang: string,
  titles: readonly string[],
  scripts: readonly Uint8Array[],
): Promise<VisitCost | undefined> {
  const queries = spread(titles, visits * queriesPerVisit);
  if (queries.length === 0) return undefined;
  const firsts: number[] = [];
  const nexts: number[] = [];
  for (let at = 0; at < queries.length; at += queriesPerVisit) {
    const site = await openSite(folder, { lang });
    try {
      for (const query of queries.slice(at, at + queriesPerVisit)) {
        const before = site.bytes;
        await site.search(query, { k: 5 });
        if (query === queries[at]) firsts.push(site.bytes);
        else nexts.push(site.bytes - before);
      }
    } finally {
      site.close();
    }
  }
  const scriptBytes = scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0);
  return { scripts: scriptBytes, first: scriptBytes + mean(firsts), next: mean(nexts) };
}

function spread<T>(items: readonly T[], wanted: number): T[] {
  const count = Math.min(items.length, wanted);
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
