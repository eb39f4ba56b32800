// Runs tests; the last line is `N passed, N failed`, after the names of those that failed.
//
//   node tools/test.mjs                              all suites
//   node tools/test.mjs native jest                  only these: native, sanitizers, fuzz, wasm, jest
//   node tools/test.mjs tests/unit/base/json_test.cc ...  single files, seconds after a change (C++ or *.test.mjs)
import { runFiles } from './test/files.mjs';
import { runSuites, suites } from './test/suites.mjs';
import { Tally } from './test/tally.mjs';

const names = process.argv.slice(2);
const tally = new Tally();
const isFile = (name) => name.startsWith('tests/');
if (names.some(isFile) && !names.every(isFile)) {
  console.error('test: suites and single files cannot be mixed');
  process.exit(2);
}
if (names.some(isFile)) await runFiles(tally, names);
else await runSuites(tally, names.length > 0 ? names : Object.keys(suites));
tally.print();
process.exitCode = tally.failed === 0 ? 0 : 1;
