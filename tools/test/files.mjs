// Single test files, for daily work: the code under test is rebuilt first, as fast as possible.
import { readFile } from 'node:fs/promises';
import { buildPreset } from '../build/cmake.mjs';
import { buildPackage } from '../build/package.mjs';
import { root } from '../build/paths.mjs';
import { runGoogleTest } from './googletest.mjs';
import { runJestFiles } from './jest.mjs';

/** Tests of sources, which need no build. */
const ofSources = /^tests\/(npm\/pure|layering|tools)\//;

export async function runFiles(tally, paths) {
  const native = paths.filter((path) => path.endsWith('.cc'));
  const others = paths.filter((path) => !path.endsWith('.cc'));
  if (native.length > 0) await tally.step(native.join(', '), () => runNativeFiles(tally, native));
  if (others.length > 0) {
    await tally.step(others.join(', '), async () => {
      if (!others.every((path) => ofSources.test(path))) await buildPackage({ checked: false });
      await runJestFiles(tally, others);
    });
  }
}

/** In the debug build, which compiles fastest. */
async function runNativeFiles(tally, paths) {
  const suites = (await Promise.all(paths.map(suitesOf))).flat();
  const program = paths.every((path) => path.startsWith('tests/steps/')) ? 'quintet_step_tests' : 'quintet_tests';
  await buildPreset('debug', [program]);
  const filter = suites.flatMap((suite) => [`${suite}.*`, `${suite}/*`, `*/${suite}.*`]).join(':');
  await runGoogleTest(tally, paths.join(', '), `${root}build/debug/${program}`, [`--gtest_filter=${filter}`]);
}

async function suitesOf(path) {
  const text = await readFile(root + path, 'utf8');
  return [...new Set([...text.matchAll(/^(?:TYPED_)?TEST(?:_F|_P)?\((\w+),/gm)].map(([, suite]) => suite))];
}
