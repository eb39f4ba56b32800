import { existsSync } from 'node:fs';
import { mustRun } from '../process.mjs';
import { step } from '../progress.mjs';
import { cachesFor } from './compiler_cache.mjs';
import { root } from './paths.mjs';

/** Configures (the first time) and builds targets of a preset of CMakePresets.json. */
export async function buildPreset(preset, targets) {
  const options = { environment: { ...cachesFor(preset), NINJA_STATUS: '[%f/%t] ' }, minutes: 80 };
  if (!existsSync(`${root}build/${preset}/build.ninja`)) await mustRun('cmake', ['--preset', preset], options);
  await step(`compiling ${preset}`, (update) =>
    mustRun('cmake', ['--build', '--preset', preset, '--target', ...targets], {
      ...options,
      onLine(line) {
        const [, done, all] = /^\[(\d+)\/(\d+)\] (?!Re-checking|Re-running)/.exec(line) ?? [];
        if (all) update(Number(done), Number(all));
      },
    }),
  );
}
