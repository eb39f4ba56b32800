import { buildPreset } from '../build/cmake.mjs';
import { root } from '../build/paths.mjs';
import { runGoogleTest } from './googletest.mjs';

/** Runs the native tests in a release build, and the tests that count steps. The programs of bench/ must compile. */
export async function runNative(tally) {
  await runTests(tally, 'native (g++)', 'release');
  await buildPreset('release', ['quintet_step_tests', 'kernel_bench', 'formats_bench']);
  await runGoogleTest(tally, 'steps', `${root}build/release/quintet_step_tests`, []);
}

/**
 * The native tests under AddressSanitizer (with leaks) and UndefinedBehaviorSanitizer, in the build of the fuzzers,
 * which has both: a separate build would compile everything again.
 */
export const runSanitizers = (tally) =>
  runTests(tally, 'native (sanitizers)', 'fuzz', { ASAN_OPTIONS: 'detect_leaks=1:allocator_may_return_null=1' });

const parts = 4;
const partsAtATime = 2;

/** In parts, some of them at a time: few tests use more than one processor, and some take long. */
async function runTests(tally, title, preset, environment = {}) {
  await buildPreset(preset, ['quintet_tests']);
  let next = 0;
  const runNext = async () => {
    while (next < parts) {
      const part = next;
      next += 1;
      await runGoogleTest(tally, `${title}, part ${part + 1} of ${parts}`, `${root}build/${preset}/quintet_tests`, [], {
        environment: { ...environment, GTEST_TOTAL_SHARDS: String(parts), GTEST_SHARD_INDEX: String(part) },
      });
    }
  };
  await Promise.all(Array.from({ length: partsAtATime }, runNext));
}
