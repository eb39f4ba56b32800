// npm run bench -- web [--quick] [--json]
// The search page of the demo site: from the address to the first result, what it weighs, and what it leaves the page's thread.
import { parseArgs } from 'node:util';

import { buildSite } from '../../web/building/build_site.mjs';
import { chromiumVersion } from '../shared/hosts/chromium_host.mjs';
import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { checksOf } from './checks.mjs';
import { measureIndexing } from './measurements/indexing.mjs';
import { measureVisits } from './measurements/visits.mjs';

const PACE = { full: { visits: 9, passages: 3000 }, quick: { visits: 3, passages: 500 } };

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const pace = options.quick ? PACE.quick : PACE.full;

await buildSite();
const machine = { ...(await describeMachine([])), chromium: await chromiumVersion() };
log('visits');
const visits = await measureVisits(pace.visits);
log('indexing');
const indexing = await measureIndexing(pace.passages);

const results = { visits, indexing };
const checks = checksOf(results);
console.log(options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks));

function log(text) {
  process.stderr.write(`${text}\n`);
}
