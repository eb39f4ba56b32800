import { statSync } from 'node:fs';
import { mustRun } from '../process.mjs';
import { step } from '../progress.mjs';
import { cachesFor } from './compiler_cache.mjs';
import { root } from './paths.mjs';

/** Configures (if that is older than the presets) and builds targets of a preset of CMakePresets.json. */
export async function buildPreset(preset, targets) {
  const options = { environment: { ...cachesFor(preset), NINJA_STATUS: '[%f/%t] ' }, minutes: 80 };
  if (modified(`build/${preset}/build.ninja`) < modified('CMakePresets.json'))
    await mustRun('cmake', ['--preset', preset], options);
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

const modified = (path) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
