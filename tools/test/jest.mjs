import { readFile, rm } from 'node:fs/promises';
import { root } from '../build/paths.mjs';
import { nodePath } from '../node_versions.mjs';
import { runProgram } from '../process.mjs';

const report = `${root}build/reports/jest.json`;

/** All Jest suites in the oldest Node, and those of the package itself in the newest as well. */
export async function runJest(tally) {
  await runIn(tally, 20, []);
  await runIn(tally, 24, ['tests/npm/']);
}

async function runIn(tally, major, patterns) {
  await rm(report, { force: true });
  const { ok, output } = await runProgram(nodePath(major), [
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    '--json',
    `--outputFile=${report}`,
    '--silent=false',
    ...patterns,
  ], { minutes: 80 });
  tally.add(`jest (Node ${major})`, await counts(ok), output);
}

async function counts(exitedWell) {
  let json;
  try {
    json = JSON.parse(await readFile(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  }
  // A suite that cannot be loaded has no tests to count.
  const failed = json.numFailedTests + json.numRuntimeErrorTestSuites;
  return {
    passed: json.numPassedTests,
    failed: failed || (exitedWell ? 0 : 1),
    skipped: json.numPendingTests + json.numTodoTests,
  };
}
