#!/usr/bin/env node
// The command line: finds the command, parses its arguments, and turns every failure into one line.
import type { Command, CommandGroup } from './command.js';
import { COMMANDS } from './command_list.js';
import { DONE, failureLine, REFUSED, UsageError } from './ending.js';
import { commandHelp, groupHelp, overview } from './help.js';
import { interrupted } from './interrupts.js';
import { nearest } from './nearest.js';
import { parseArguments } from './options/arguments.js';
import { Output } from './output/output.js';
import { removeTemporaries } from './output/temporary_files.js';
import { version } from './version.js';

const HELP = ['help', '--help', '-h'];

const stdout = new Output(process.stdout);
const stderr = new Output(process.stderr);

async function run([name, ...rest]: string[]): Promise<number> {
  if (name === undefined) return print(overview());
  if (HELP.includes(name)) return print(await helpOf(rest));
  if (name === '--version') return print(version());
  const command = await commandNamed(name);
  return 'commands' in command ? runOneOf(name, command, rest) : runCommand(name, command, rest);
}

async function runOneOf(group: string, { commands }: CommandGroup, args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || HELP.includes(name)) return print(await helpOf([group, ...rest]));
  const { command } = entryNamed(name, commands, group);
  return runCommand(`${group} ${name}`, command, rest);
}

async function runCommand(name: string, command: Command, args: string[]): Promise<number> {
  const { options, positionals } = parseArguments(name, command, args);
  if (options['help'] === true) return print(commandHelp(command));
  stderr.isQuiet = options['quiet'] === true;
  return command.run({ options, positionals, stdout, stderr });
}

/** `names`: none, a command, or a group and one of its commands. */
async function helpOf([name, inner, ...more]: string[]): Promise<string> {
  if (name === undefined) return overview();
  const command = await commandNamed(name);
  if (more.length > 0 || (inner !== undefined && !('commands' in command))) {
    throw new UsageError(`help takes the name of one command, not '${[name, inner, ...more].join(' ')}'`);
  }
  if (!('commands' in command)) return commandHelp(command);
  return inner === undefined
    ? groupHelp(name, command)
    : commandHelp(entryNamed(inner, command.commands, name).command);
}

async function commandNamed(name: string): Promise<Command | CommandGroup> {
  return (await entryNamed(name, COMMANDS).load()).default;
}

function entryNamed<Entry>(name: string, entries: Record<string, Entry>, group?: string): Entry {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry !== undefined) return entry;
  const what = name.startsWith('-') ? 'option' : 'command';
  const meant = nearest(name, Object.keys(entries));
  const list = group === undefined ? 'quintet help' : `quintet help ${group}`;
  const advice = meant === undefined ? `'${list}' lists the commands` : `did you mean '${meant}'?`;
  throw new UsageError(`${group === undefined ? '' : `${group}: `}unknown ${what} '${name}'; ${advice}`);
}

async function print(text: string): Promise<number> {
  await stdout.line(text);
  return DONE;
}

/** 128 + the signal's number, as shells report it. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

function leaveNothingBehind(): void {
  for (const [signal, status] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (interrupted(signal)) return;
      removeTemporaries();
      process.exit(status);
    });
  }
  // The reader of the output has gone (`quintet … | head`), which is not an error.
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
