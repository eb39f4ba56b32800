// The arguments of one command: parsed, with a one-line error for mistakes, and their values checked.
import { parseArgs } from 'node:util';
import type { Command, OptionTable } from '../command.js';
import { UsageError } from '../ending.js';
import { nearest } from '../nearest.js';

/** Every command accepts these. */
export const COMMON_OPTIONS = {
  quiet: { type: 'boolean', help: 'print no progress, speed or notes to stderr, only warnings and errors' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
} as const satisfies OptionTable;

export interface ParsedArguments {
  /** May also be lists; the type of a command's options has the details. */
  options: Record<string, string | boolean | undefined>;
  positionals: string[];
}

export function parseArguments(name: string, { options, renamed = {} }: Command, args: string[]): ParsedArguments {
  const table: OptionTable = { ...options, ...COMMON_OPTIONS };
  refuseUnknown(name, table, renamed, args);
  try {
    const { values, positionals } = parseArgs({ args, options: table, allowPositionals: true, strict: true });
    return { options: values as ParsedArguments['options'], positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(firstSentence(error.message));
  }
}

function refuseUnknown(
  name: string,
  table: OptionTable,
  renamed: Readonly<Record<string, string>>,
  args: string[],
): void {
  const { tokens } = parseArgs({ args, options: table, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(table, token.name)) continue;
    const given = token.rawName;
    if (Object.hasOwn(renamed, given)) throw new UsageError(`${name}: '${given}' is now '${renamed[given]}'`);
    const meant = given.startsWith('--') ? nearest(token.name, Object.keys(table)) : undefined;
    const advice = meant === undefined ? `'quintet help ${name}' lists the options` : `did you mean '--${meant}'?`;
    throw new UsageError(`${name}: unknown option '${given}'; ${advice}`);
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

const units: Record<string, number> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9 };

/** Bytes: `500MB`. */
export function sizeOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMG]B)?$/i.exec(value) ?? [];
  const bytes = Math.round(Number(count) * units[unit.toUpperCase()]!);
  if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
  throw new UsageError(`--${name} takes a size such as 500MB or 4GB, not '${value}'`);
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
  if (!ids.every((id) => /^\d+$/.test(id))) throw new UsageError(`${what} takes token ids like 1,2,3, not '${list}'`);
  return ids.map(Number);
}
