// The places where contestants run: processes of Node 24 and pages of Chromium.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openInChromium } from './chromium.mjs';
import { NODE_24, REPOSITORY, urlPath } from './paths.mjs';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, 'node_child.mjs');

/** `path`: how a contestant there names a file of the repository. `open(module)`: a stage for a contestant of it. */
export const ENVIRONMENTS = {
  node: { name: 'Node 24', path: (file) => file, open: openInNode },
  chromium: { name: 'Chromium', path: urlPath, open: openInChromium },
};

export const nameOf = (environment) => ENVIRONMENTS[environment].name;
export const pathIn = (environment, file) => ENVIRONMENTS[environment].path(file);

/** A stage for a single call. */
export async function onFreshStage(environment, module, use) {
  const stage = await ENVIRONMENTS[environment].open(module);
  try {
    return await use(stage);
  } finally {
    await stage.close();
  }
}

/** A stage in its own process; `module` has the contestants. */
function openInNode(module) {
  const child = fork(CHILD, [module], {
    execPath: NODE_24,
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit').then(([code]) => [{ error: `process ended with ${code}` }]);
  const call = async (method, ...args) => {
    const answer = once(child, 'message');
    child.send({ method, args });
    const [{ result, error }] = await Promise.race([answer, exit]);
    if (error) throw new Error(error);
    return result;
  };
  return { call, cpuMilliseconds: () => call('cpuMilliseconds'), close: () => child.kill() };
}

/** The output of Node 24. */
export async function outputOfNode(...args) {
  const { stdout } = await run(NODE_24, args.map(String), { maxBuffer: Infinity });
  return stdout.trimEnd();
}

/** The output of a program of bench/native, compiled to WebAssembly and run in Node 24. */
export async function outputOfProgram(target, ...args) {
  const preset = 'wasm-relaxed';
  await run('cmake', ['--build', '--preset', preset, '--target', target], { cwd: REPOSITORY, maxBuffer: Infinity });
  return outputOfNode(join(REPOSITORY, 'build', preset, `${target}.js`), ...args);
}
