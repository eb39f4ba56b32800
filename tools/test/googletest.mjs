import { mkdir, readFile, rm } from 'node:fs/promises';
import { root } from '../build/paths.mjs';
import { runProgram } from '../process.mjs';

const reports = `${root}build/reports/`;

/** Runs a GoogleTest program, counts by its JSON report; one that crashes leaves none and has failed. */
export async function runGoogleTest(tally, title, program, args, options) {
  await mkdir(reports, { recursive: true });
  const report = `${reports}${title.replaceAll(/\W+/g, '-')}.json`;
  await rm(report, { force: true });
  const flags = ['--gtest_brief=1', `--gtest_output=json:${report}`];
  const { ok, output } = await runProgram(program, [...args, ...flags], options);
  const json = await readReport(report);
  if (!json) return tally.add(title, { passed: 0, failed: 1 }, output);
  const tests = json.testsuites.flatMap((suite) => suite.testsuite);
  const failed = tests.filter((test) => test.failures).map((test) => `${test.classname}.${test.name}`);
  return tally.add(title, counts(json, tests, ok), output, failed);
}

async function readReport(report) {
  try {
    return JSON.parse(await readFile(report, 'utf8'));
  } catch {
    return undefined;
  }
}

function counts(json, tests, exitedWell) {
  const skipped = tests.filter((test) => test.result === 'SKIPPED' || test.result === 'SUPPRESSED').length;
  // A sanitizer error at exit, after the report was written, is a failure too.
  const failed = json.failures + json.errors || (exitedWell ? 0 : 1);
  return { passed: json.tests - json.failures - json.errors - skipped, failed, skipped };
}
