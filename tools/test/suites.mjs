// The suites of `npm test`, in their order.
import { buildPackage } from '../build/package.mjs';
import { mustRun } from '../process.mjs';
import { step } from '../progress.mjs';
import { runFuzzers } from './fuzz.mjs';
import { runJest } from './jest.mjs';
import { runNative, runSanitizers } from './native.mjs';
import { runWasm } from './wasm.mjs';

/** `minutes`: on two processors, with nothing compiled before and with everything in the compiler's cache. */
export const suites = {
  native: { does: 'the C++ tests, compiled by g++', minutes: { cold: 5, warm: 1 }, run: runNative },
  sanitizers: {
    does: 'the same under AddressSanitizer and UndefinedBehaviorSanitizer',
    minutes: { cold: 13, warm: 3 },
    run: runSanitizers,
  },
  fuzz: { does: 'every fuzzer, a few seconds each', minutes: { cold: 3, warm: 2 }, run: runFuzzers },
  wasm: { does: 'the kernel tests as WebAssembly, in Node 20, 22 and 24', minutes: { cold: 3, warm: 1 }, run: runWasm },
  jest: {
    does: 'the built package, in Node 20 and 24, Chromium, Firefox and WebKit',
    minutes: { cold: 21, warm: 15 },
    async run(tally) {
      await tally.step('build', buildPackage);
      // Tests of its pages would wait for it, one after the other.
      await tally.step('demo site', buildDemoSite);
      await runJest(tally);
    },
  },
};

const buildDemoSite = () =>
  step('building the demo site', (update) => {
    update();
    return mustRun(process.execPath, ['web/main.mjs', '--build-only'], { minutes: 30 });
  });

/** Announces its work and the time it may need. */
export async function runSuites(tally, names) {
  const unknown = names.find((name) => !suites[name]);
  if (unknown)
    throw new Error(`no suite '${unknown}'; there are ${Object.keys(suites).join(', ')}, and files of tests/`);
  const [cold, warm] = ['cold', 'warm'].map((cache) =>
    names.reduce((sum, name) => sum + suites[name].minutes[cache], 0),
  );
  console.error(
    `${names.length} suites, about ${warm} minutes on two processors; ${cold} if nothing was compiled before.`,
  );
  for (const [i, name] of names.entries()) {
    console.error(`[${i + 1}/${names.length}] ${name}: ${suites[name].does}`);
    await tally.step(name, () => suites[name].run(tally));
  }
}
