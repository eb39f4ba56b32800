// The real command line as a child process.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const program = join(root, 'dist/cli.js');
export const fixture = (path) => join(root, 'tests/fixtures', path);

/** Starts it with a child's usual pipes; `file` may be a copy. */
export function start(args, { cwd = root, env = {}, nodeOptions = [], file = program } = {}) {
  return spawn(process.execPath, [...nodeOptions, file, ...args], { cwd, env: { ...process.env, ...env } });
}

/** Runs it to its end: { status, signal, stdout, stderr, stdoutBytes }. */
export async function quintet(args, { input = '', ...options } = {}) {
  const child = start(args, options);
  const stdout = [];
  const stderr = [];
  child.stdout.on('data', (chunk) => stdout.push(chunk));
  child.stderr.on('data', (chunk) => stderr.push(chunk));
  child.stdin.on('error', () => {}); // it may end without reading its input
  child.stdin.end(input);
  const [status, signal] = await new Promise((resolve) => child.on('close', (...result) => resolve(result)));
  const stdoutBytes = Buffer.concat(stdout);
  return { status, signal, stdout: stdoutBytes.toString(), stderr: Buffer.concat(stderr).toString(), stdoutBytes };
}

export async function quintetJson([command, ...args], options) {
  const { status, stdout, stderr } = await quintet([command, '--json', ...args], options);
  if (status !== 0) throw new Error(`exit status ${status}: ${stderr}`);
  return jsonLines(stdout);
}

export const jsonLines = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A folder of this test file's own, removed at the end. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'quintet-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Exactly one line `quintet: …` on stderr, nothing on stdout. */
export function expectRefusal({ status, stdout, stderr }, pattern = /./) {
  expect(stderr).toMatch(/^quintet: [^\n]+\n$/);
  expect(stderr).toMatch(pattern);
  expect(stdout).toBe('');
  expect(status).toBe(2);
}
