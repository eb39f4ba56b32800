// npm run bench -- load [--quick] [--json] [--model NAME]
// How long files of 2 to 3.4 GB take to load, beside reading and hashing them, and how much memory, beside their size. In Node
// 24 and Chromium, each time in a process of its own. docs/benchmarks.md tells what is measured, and how.
import { parseArgs } from 'node:util';

import { prepareModels } from '../decoder/model/prepare.mjs';
import { ggufFile } from '../decoder/paths.mjs';
import { LARGE_SHAPES } from '../decoder/shapes.mjs';
import { chromiumVersion } from '../shared/hosts/chromium_host.mjs';
import { startServer } from '../shared/hosts/server.mjs';
import { describeMachine } from '../shared/machine.mjs';
import { report } from '../shared/report.mjs';
import { checksOf } from './checks.mjs';
import { measureInChromium, measureInNode, measureMemory } from './measurements.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    model: { type: 'string' },
  },
});
const all = Object.keys(LARGE_SHAPES);
if (options.model !== undefined && !all.includes(options.model)) {
  console.error(`bench: no model '${options.model}'; there are ${all.join(', ')}`);
  process.exit(2);
}
const chosen = options.model === undefined ? all : [options.model];
const rounds = options.quick ? 2 : 5;

const machine = await describeMachine([]);
machine.chromium = await chromiumVersion();
await prepareModels(chosen);
const server = await startServer();
const results = [];
for (const model of chosen) {
  process.stderr.write(`${model}\n`);
  const file = ggufFile(model);
  results.push({
    model,
    node: await measureInNode(file, rounds),
    chromium: await measureInChromium(server, file, rounds),
    memory: await measureMemory(file),
  });
}
await server.close();
const checks = results.flatMap(checksOf);
console.log(options.json ? JSON.stringify({ machine, results, checks }, null, 1) : report(machine, checks));
