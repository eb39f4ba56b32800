// Runs all tests, or only the named suites: node tools/test.mjs [native|sanitizers|fuzz|wasm|jest]...
// The last line is `N passed, N failed`.
import { buildPackage } from './build/package.mjs';
import { runFuzzers } from './test/fuzz.mjs';
import { runJest } from './test/jest.mjs';
import { runNative, runSanitizers } from './test/native.mjs';
import { Tally } from './test/tally.mjs';
import { runWasm } from './test/wasm.mjs';

const suites = {
  native: runNative,
  sanitizers: runSanitizers,
  fuzz: runFuzzers,
  wasm: runWasm,
  async jest(tally) {
    await tally.step('build', buildPackage);
    await runJest(tally);
  },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);
const tally = new Tally();
for (const name of names) {
  if (!suites[name]) throw new Error(`no suite '${name}'; there are ${Object.keys(suites).join(', ')}`);
  await tally.step(name, () => suites[name](tally));
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
