// What the three programs share: their options, and one line for a failure.
import { parseArgs } from 'node:util';
import { RETRIES } from './queue.mjs';
import { Run } from './run.mjs';

const common = {
  redis: { type: 'string', default: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379' },
  folder: { type: 'string' },
  run: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
};

export const COMMON_HELP = `  --folder DIR         the folder that all machines share
  --run NAME           names the run, its queue and its part of the folder
  --redis URL          default: $REDIS_URL, else redis://127.0.0.1:6379`;

/** Runs a program: `main(options, run)` gives the exit status. Bad usage and failures are one line and status 2. */
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
