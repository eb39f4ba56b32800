// quintet/site, read from the disk: the bytes are those of the files that a browser would download.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { REPOSITORY } from '../../harness/paths.mjs';
import { queries } from './scores.mjs';
import { siteNames } from './sites.mjs';

/** A visit starts with each third query. */
const VISITS = 3;

export async function askQuintet(sites, indexes) {
  const { buildSite, openSite } = await import(pathToFileURL(join(REPOSITORY, 'dist/node_site.js')).href);
  const result = { answers: {}, seconds: {}, first: {}, later: {} };
  for (const name of siteNames) {
    const out = join(indexes, name);
    const report = await buildSite({ dir: join(sites, name), out, cache: false });
    result.seconds[name] = report.seconds;
    const asked = queries.filter(({ site }) => site === name);
    const visit = new Map();
    const [first, later] = [[], []];
    for (const [i, { id, query, lang }] of asked.entries()) {
      if (!visit.has(lang)) visit.set(lang, await openSite(out, { lang }));
      const site = visit.get(lang);
      const before = site.bytes;
      const hits = await site.search(query, { k: 10 });
      if (i > 0) later.push(site.bytes - before);
      result.answers[id] = hits.map(({ url }) => url);
      if (i % VISITS > 0) continue;
      const fresh = await openSite(out, { lang });
      await fresh.search(query, { k: 5 });
      first.push(fresh.bytes + (report.visit?.scripts ?? 0));
      fresh.close();
    }
    for (const site of visit.values()) site.close();
    result.first[name] = first;
    result.later[name] = later;
  }
  return result;
}
