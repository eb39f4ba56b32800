import { buildPreset } from '../build/cmake.mjs';
import { root } from '../build/paths.mjs';
import { runGoogleTest } from './googletest.mjs';

/** The native tests as users' compilers see the code. */
export async function runNative(tally) {
  await buildPreset('release', ['quintet_tests']);
  await runGoogleTest(tally, 'native (g++)', `${root}build/release/quintet_tests`, []);
}

/**
 * The same tests under AddressSanitizer (with leaks) and UndefinedBehaviorSanitizer, in the build of the fuzzers, which has both:
 * a build of their own would compile everything once more.
 */
export async function runSanitizers(tally) {
  await buildPreset('fuzz', ['quintet_tests']);
  // They are slow there, and no test uses two processors.
  const shards = 2;
  const runShard = (shard) =>
    runGoogleTest(tally, `native (sanitizers), part ${shard + 1} of ${shards}`, `${root}build/fuzz/quintet_tests`, [], {
      environment: {
        ASAN_OPTIONS: 'detect_leaks=1:allocator_may_return_null=1',
        GTEST_TOTAL_SHARDS: String(shards),
        GTEST_SHARD_INDEX: String(shard),
      },
    });
  await Promise.all([runShard(0), runShard(1)]);
}
