import { existsSync } from 'node:fs';
import { mustRun } from '../process.mjs';
import { root } from './paths.mjs';

/** Configures (the first time) and builds targets of a preset of CMakePresets.json. */
export async function buildPreset(preset, targets) {
  if (!existsSync(`${root}build/${preset}/build.ninja`)) await mustRun('cmake', ['--preset', preset]);
  await mustRun('cmake', ['--build', '--preset', preset, '--target', ...targets]);
}
