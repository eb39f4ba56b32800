// Shared by the three programs: options, and errors as one line.
import { parseArgs } from 'node:util';
import { RETRIES } from './queue.mjs';
import { Run } from './run.mjs';

const common = {
  redis: { type: 'string', default: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' },
  folder: { type: 'string' },
  run: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

export const COMMON_HELP = `      --folder DIR        folder shared by all machines
      --run NAME          name of the run, of its queue and of its subfolder
      --redis URL         default: $REDIS_URL, or redis://127.0.0.1:6379
  -h, --help              show this help`;

/**
 * Runs a program: `main(options, run)` returns the exit status. Bad usage and failures print one line and give status
 * 2.
 */
export async function command({ help, options = {} }, main) {
  try {
    const { values } = parseArgs({ options: { ...common, ...options } });
    if (values.help) {
      console.log(help);
      return;
    }
    process.exitCode = await main(values, new Run(required(values, 'folder'), required(values, 'run')));
  } catch (error) {
    process.stderr.write(`${error.message.split('\n', 1)[0]}\n`);
    process.exitCode = 2;
  }
}

export function required(values, name) {
  if (values[name] === undefined) throw new Error(`--${name} is missing`);
  return values[name];
}

export function count(values, name, fallback) {
  const text = values[name];
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} takes a whole number above zero, not '${text}'`);
  return Number(text);
}

export const retries = (values) => ({
  attempts: count(values, 'attempts', RETRIES.attempts),
  backoffMs: count(values, 'backoff-ms', RETRIES.backoffMs),
});
