// Arguments of one command: `parseArgs`, with its complaints as one line each, and checked values.
import { parseArgs } from 'node:util';
import { UsageError } from '../ending.js';
import type { OptionTable } from '../command.js';

const HELP = { help: { type: 'boolean', short: 'h' } } as const satisfies OptionTable;

export interface ParsedArguments {
  /** Lists, too, where the table says so: the type of a command's options tells. */
  options: Record<string, string | boolean | undefined>;
  positionals: string[];
}

export function parseArguments(args: string[], table: OptionTable): ParsedArguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...table, ...HELP },
      allowPositionals: true,
      strict: true,
    });
    return { options: values as ParsedArguments['options'], positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(firstSentence(error.message));
  }
}

/** Node adds advice in further sentences and lines; the line for the user is the first. */
function firstSentence(message: string): string {
  return message.split(/\.(?:\s|$)|\n/, 1)[0] ?? message;
}

export function countOption(name: string, value: string | undefined, least: 0 | 1 = 1): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count) || count < least) {
    throw new UsageError(`--${name} takes a whole number${least > 0 ? ' above zero' : ''}, not '${value}'`);
  }
  return count;
}

export function numberOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(value)) throw new UsageError(`--${name} takes a number, not '${value}'`);
  return Number(value);
}

export function signedNumberOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined || !value.startsWith('-')) return numberOption(name, value);
  return -numberOption(name, value.slice(1))!;
}

export function choiceOption<const T extends string>(
  name: string,
  value: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) {
    throw new UsageError(`--${name} takes ${choices.join(', ')}, not '${value}'`);
  }
  return choice;
}

export function requiredOption(name: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

/** Token ids like `1,2,3` or `1 2 3`; `what` names them for the message. */
export function idsIn(what: string, list: string): number[] {
  const ids = list.trim().split(/[,\s]+/);
  if (!ids.every((id) => /^\d+$/.test(id))) throw new UsageError(`${what} takes ids like 1,2,3, not '${list}'`);
  return ids.map(Number);
}
