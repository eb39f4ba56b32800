import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../build/paths.mjs';
import { nodePath } from '../node_versions.mjs';
import { runProgram } from '../process.mjs';
import { clearDisplay, step } from '../progress.mjs';

const report = `${root}build/reports/jest.json`;
const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
const slowFiles = 10;

/** Suites that run in the same way in every Node: modules that have a single build, and plain JavaScript. */
const everywhereEqual =
  'chat|cli|convert|grammar|guides|images|inspect|integrations|pure|safetensors|search(?!/threads)|site|start|text|tokenize';

/**
 * All Jest suites in the oldest Node, and in the newest those of what differs there: modules for relaxed SIMD, threads,
 * streams. The accuracy of trained networks and the many forms of quantized folders take long and are tested once.
 */
export async function runJest(tally) {
  await runIn(tally, nodePath(20), 'jest (Node 20)', []);
  await runIn(tally, nodePath(24), 'jest (Node 24)', [
    `tests/npm/(?!(${everywhereEqual})/)`,
    '--testPathIgnorePatterns',
    '/(cifar|quantized_folders)\\.',
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
    const options = ['--json', `--outputFile=${report}`, '--silent=false'];
    return runProgram(node, [...jest, ...options, ...args], {
      minutes: 80,
      onLine: filesIn({ onFile: () => update((done += 1), all), onFailure: printed }),
    });
  });
  const json = await readReport();
  if (!json) return tally.add(title, { passed: 0, failed: 1 }, output);
  const failed = failedTests(json);
  tally.add(title, countsOf(json, ok), failed.length > 0 ? '' : output, failed);
  if (json.testResults.length > slowFiles) console.log(slowest(json));
}

/**
 * Reads the lines of Jest's reporter: a file that has passed is a line, and one that has failed also what failed, up to the
 * next file or the summary.
 */
function filesIn({ onFile, onFailure }) {
  let isFailure = false;
  return (line) => {
    const [, begun] = /^(PASS|FAIL|Test Suites:|Test results) /.exec(stripVTControlCharacters(line)) ?? [];
    if (begun) isFailure = begun === 'FAIL';
    if (begun === 'PASS' || begun === 'FAIL') onFile();
    if (isFailure) onFailure(line);
  };
}

/** At once: a run may be cut short. */
function printed(line) {
  clearDisplay();
  console.log(line);
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

const fileOf = ({ name }) => name.replace(root, '');

/** The names of the tests that failed, and the files that cannot be loaded. */
const failedTests = ({ testResults }) =>
  testResults
    .filter(({ status }) => status === 'failed')
    .flatMap((file) => {
      const failed = file.assertionResults.filter(({ status }) => status === 'failed');
      return failed.length > 0 ? failed.map(({ fullName }) => `${fileOf(file)}: ${fullName}`) : [fileOf(file)];
    });

function slowest({ testResults }) {
  const secondsOf = ({ startTime, endTime }) => Math.round((endTime - startTime) / 1000);
  const files = testResults.map((file) => [secondsOf(file), fileOf(file)]).sort(([a], [b]) => b - a);
  const lines = files.slice(0, slowFiles).map(([seconds, file]) => `${String(seconds).padStart(7)} s  ${file}`);
  return ['    The slowest files:', ...lines].join('\n');
}
