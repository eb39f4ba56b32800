// Checks that models that are closed or without references free their memory, and let the process end.
import { capabilities } from 'quintet';
import { run } from './program.mjs';

/** Calls that were running when a model was closed end first. */
export async function expectNothingLives() {
  for (let i = 0; i < 1000 && capabilities().memory.liveObjects > 0; ++i) await new Promise(setImmediate);
  expect(capabilities().memory.liveObjects).toBe(0);
}

/** `cycle` loads a model, uses and closes it. */
export async function expectSteadyMemory(cycle, most = 100) {
  const after = async (times) => {
    for (let i = 0; i < times; ++i) await cycle();
    return capabilities().memory;
  };
  const few = await after(3);
  expect(few.liveObjects).toBe(0);
  expect(await after(most)).toEqual(few);
}

/**
 * Live objects after a program, and after those that it has forgotten are collected; at most `kept` remain. `imported`
 * are further imports of the program from the package.
 */
export const liveObjectsOf = (imported, program, kept = 0) =>
  run(
    `import { capabilities, ${imported} } from 'quintet';
     ${program}
     const live = [capabilities().memory.liveObjects];
     for (let i = 0; i < 200 && capabilities().memory.liveObjects > ${kept}; ++i) {
       globalThis.gc();
       await new Promise(setImmediate);
     }
     live.push(capabilities().memory.liveObjects);
     console.log(JSON.stringify(live));`,
    { flags: ['--expose-gc'] },
  );
