import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { root } from '../build/paths.mjs';
import { nodePath } from '../node_versions.mjs';
import { runProgram } from '../process.mjs';
import { step } from '../progress.mjs';

const report = `${root}build/reports/jest.json`;
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];

/** Suites that run in the same way in every Node: modules that have a single build, and plain JavaScript. */
const everywhereEqual =
  'chat|cli|convert|grammar|guides|images|inspect|integrations|pure|safetensors|site|start|text|tokenize';

/**
 * All Jest suites in the oldest Node, and in the newest those of what differs there: modules for relaxed SIMD, threads,
 * streams. The accuracy of trained networks takes long and is tested once.
 */
export async function runJest(tally) {
  await runIn(tally, nodePath(20), 'jest (Node 20)', []);
  await runIn(tally, nodePath(24), 'jest (Node 24)', [
    `tests/npm/(?!(${everywhereEqual})/)`,
    '--testPathIgnorePatterns',
    '/cifar\\.',
  ]);
}

/** Some files, in the running Node. */
export const runJestFiles = (tally, paths) =>
  runIn(tally, process.execPath, paths.join(', '), ['--runTestsByPath', ...paths]);

async function runIn(tally, node, title, args) {
  await mkdir(dirname(report), { recursive: true });
  await rm(report, { force: true });
  const { output: list } = await runProgram(node, [...jest, '--listTests', ...args]);
  const all = list.split('\n').filter((line) => line.endsWith('.test.mjs')).length;
  const { ok, output } = await step(title, (update) => {
    let done = 0;
    return runProgram(node, [...jest, '--json', `--outputFile=${report}`, '--silent=false', ...args], {
      minutes: 80,
      onLine: (line) => /^(PASS|FAIL) /.test(line) && update((done += 1), all),
    });
  });
  const json = await readReport();
  if (json) tally.add(title, countsOf(json, ok), failuresOf(json) || output);
  else tally.add(title, { passed: 0, failed: 1 }, output);
}

async function readReport() {
  try {
    return JSON.parse(await readFile(report, 'utf8'));
  } catch {
    return undefined;
  }
}

function countsOf(json, exitedWell) {
  // A suite that cannot be loaded has no tests to count.
  const failed = json.numFailedTests + json.numRuntimeErrorTestSuites;
  return {
    passed: json.numPassedTests,
    failed: failed || (exitedWell ? 0 : 1),
    skipped: json.numPendingTests + json.numTodoTests,
  };
}

/** Jest's messages about the files that failed, without the others. */
const failuresOf = ({ testResults }) =>
  testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message }) => `${name.replace(root, '')}\n${message}`)
    .join('\n');
