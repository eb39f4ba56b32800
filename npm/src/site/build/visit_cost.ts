// A visitor's downloads, measured by searching the index that was built.

import { brotliCompressSync, constants } from 'node:zlib';

import { openSite } from '../open_site.js';
import type { VisitCost } from './report.js';
import type { SiteScript } from './site_scripts.js';

/** First queries that are measured. */
const visits = 3;
const queriesPerVisit = 4;

/** `titles`: of pages of the language with the most; undefined if there are none. */
export async function visitCost(
  folder: string,
  lang: string,
  titles: readonly string[],
  scripts: readonly SiteScript[],
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
  const bytesOf = (isAlways: boolean) =>
    scripts.filter((script) => script.isAlways === isAlways).map(({ bytes }) => compressed(bytes));
  const scriptBytes = bytesOf(true).reduce((sum, bytes) => sum + bytes, 0) + mean(bytesOf(false));
  return { scripts: scriptBytes, first: scriptBytes + mean(firsts), next: mean(nexts) };
}

function spread<T>(items: readonly T[], wanted: number): T[] {
  const count = Math.min(items.length, wanted);
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]!);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

/** The quality at which servers compress responses: the highest one takes too long. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const compressed = (bytes: Uint8Array): number => brotliCompressSync(bytes, quality).length;
