import { fork } from 'node:child_process';
import { once } from 'node:events';

import { NODE_24 } from '../paths.mjs';

/** A stage in a Node 24 process of its own, which runs the given script. */
export function openInNode(script) {
  const child = fork(script, {
    execPath: NODE_24,
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
