// How fast this machine reads memory: bench/kernels, compiled to WebAssembly and run in Node 24.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { NODE_24, REPOSITORY } from '../paths.mjs';

const run = promisify(execFile);
const PRESET = 'wasm-relaxed';

/** GB/s. */
export async function measureBandwidth() {
  await run('cmake', ['--build', '--preset', PRESET, '--target', 'kernel_bench'], { cwd: REPOSITORY });
  const program = join(REPOSITORY, 'build', PRESET, 'kernel_bench.js');
  const { stdout } = await run(NODE_24, [program, 'memory']);
  return Number(/^memory: read ([\d.]+) GB\/s$/m.exec(stdout)[1]);
}
