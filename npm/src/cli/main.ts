#!/usr/bin/env node
// The command line: finds the command, parses its arguments, and turns every failure into one line.
import { readFileSync } from 'node:fs';
import { DONE, failureLine, REFUSED, UsageError } from './ending.js';
import { parseArguments } from './options/arguments.js';
import type { Command, CommandGroup } from './command.js';
import { Output } from './output/output.js';
import { removeTemporaries } from './output/temporary_files.js';

interface CommandEntry {
  summary: string;
  load(): Promise<{ default: Command | CommandGroup }>;
}

/** Commands are loaded when they are called: `--help` compiles nothing else. */
const COMMANDS: Record<string, CommandEntry> = {
  inspect: { summary: 'what a model file holds', load: () => import('./commands/inspect.js') },
  validate: { summary: 'check whole model files', load: () => import('./commands/validate.js') },
  tensor: { summary: 'one tensor as a NumPy file', load: () => import('./commands/tensor.js') },
  convert: { summary: 'between formats, and quantized', load: () => import('./commands/convert.js') },
  tokenize: { summary: 'ids and tokens of a text', load: () => import('./commands/tokenize.js') },
  detokenize: { summary: 'the text of ids', load: () => import('./commands/detokenize.js') },
  generate: { summary: 'continue a text', load: () => import('./commands/generate.js') },
  logits: { summary: 'what a model expects after tokens', load: () => import('./commands/logits.js') },
  perplexity: { summary: 'how well a model foresees a text', load: () => import('./commands/perplexity.js') },
  embed: { summary: 'vectors of texts', load: () => import('./commands/embed.js') },
  search: { summary: 'find passages by meaning', load: () => import('./commands/search.js') },
  classify: { summary: 'what pictures show', load: () => import('./commands/classify.js') },
  kv: { summary: 'compress and compare KV caches', load: () => import('./commands/kv.js') },
  bench: { summary: 'speed of this machine', load: () => import('./commands/bench.js') },
};

const stdout = new Output(process.stdout);
const stderr = new Output(process.stderr);

function overview(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`);
  return `Usage: quintet <command> [options]

Sentence embeddings, semantic search, text generation and image classification, computed on this
machine.

Commands:
${rows.join('\n')}

  quintet <command> --help    the options of a command
  quintet --version           the version of this program

'-' stands for stdin or stdout. Exit status: 0 done, 1 a check failed or some
lines of the input were bad, 2 bad usage or bad input.`;
}

function version(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    await stdout.line(overview());
    return DONE;
  }
  if (name === '--version') {
    await stdout.line(version());
    return DONE;
  }
  if (name === undefined) throw new UsageError("no command; 'quintet --help' lists them");
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    throw new UsageError(`this version has no command '${name}'; 'quintet --help' lists them`);
  }
  const command = (await entry.load()).default;
  return 'commands' in command ? runOneOf(name, command, rest) : runCommand(command, rest);
}

async function runOneOf(group: string, { help, commands }: CommandGroup, args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h') {
    await stdout.line(help);
    return DONE;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(commands).join(', ');
    throw new UsageError(`${group} ${name === undefined ? 'needs a command' : `has no command '${name}'`}: ${names}`);
  }
  return runCommand(command, rest);
}

async function runCommand(command: Command, args: string[]): Promise<number> {
  const { options, positionals } = parseArguments(args, command.options);
  if (options['help'] === true) {
    await stdout.line(command.help);
    return DONE;
  }
  return command.run({ options, positionals, stdout, stderr });
}

/** 128 + the signal's number, as shells report it. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

function leaveNothingBehind(): void {
  for (const [signal, status] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      removeTemporaries();
      process.exit(status);
    });
  }
  // The reader of our output has gone (`quintet … | head`): that is its right, and no error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      removeTemporaries();
      if (error.code === 'EPIPE') process.exit(DONE);
      process.exit(REFUSED);
    });
  }
}

async function main(): Promise<void> {
  leaveNothingBehind();
  let status: number;
  try {
    status = await run(process.argv.slice(2));
  } catch (error) {
    await stderr.line(failureLine(error));
    status = REFUSED;
  }
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  // An unread stdin or a worker would keep the process alive.
  process.exit(status);
}

void main();
