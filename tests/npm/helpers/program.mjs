// Programs that a test runs in their own Node process.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs a module's source and gives what it printed as JSON. */
export async function run(source, { flags = [], node = process.execPath } = {}) {
  const args = [...flags, '--no-warnings', '--input-type=module', '--eval', source];
  const child = spawn(node, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (err += data));
  const [code, signal] = await new Promise((resolve) => child.on('close', (...end) => resolve(end)));
  if (code !== 0) throw new Error(`${signal ?? `exit ${code}`}: ${err}`);
  return JSON.parse(out);
}
