import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const keptOutput = 16_000;

/**
 * Runs a program in the repository to its end. `output` is the end of what it printed on both streams;
 * a program that outlives `minutes` is ended and so has failed. `onLine` hears every line of its output.
 */
export function runProgram(program, args, { environment = {}, minutes = 10, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-keptOutput)));
    }
    if (onLine) for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ ok: code === 0, output: signal ? `${output}\nended by ${signal}` : output });
    });
  });
}

/** Runs a program that must succeed; what it printed is the error's text where it does not. */
export async function mustRun(program, args, options) {
  const { ok, output } = await runProgram(program, args, options);
  if (!ok) throw new Error(`${program} ${args.join(' ')}\n${output}`);
}
