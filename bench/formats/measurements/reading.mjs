// Files out of memory into memory: bench/formats/*.cc, compiled to WebAssembly and run in Node 24.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { NODE_24, REPOSITORY } from '../../shared/paths.mjs';

const run = promisify(execFile);
const PRESET = 'wasm-relaxed';

/** A line of the program each: { file, bytes, values, copied, kept, packed, decoded }, the last four lists of seconds. */
export async function measureReading(rounds) {
  await run('cmake', ['--build', '--preset', PRESET, '--target', 'formats_bench'], {
    cwd: REPOSITORY,
  });
  const program = join(REPOSITORY, 'build', PRESET, 'formats_bench.js');
  const { stdout } = await run(NODE_24, [program, String(rounds)]);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
