// A command: its help, its options, and its work.
import type { Output } from './output/output.js';

export interface Option {
  type: 'string' | 'boolean';
  /** One letter, which means the same option in every command. */
  short?: string;
  /** May be given more than once. */
  multiple?: boolean;
  /** Stands for the value in the help: `FILE`. */
  value?: string;
  /** One line; values to type may be in backticks, which only docs/cli.md shows. */
  help: string;
  /** Heading in the help; without one the option is listed under "Options". */
  section?: string;
}

export type OptionTable = Record<string, Option>;

type ScalarValue<Type> = Type extends 'boolean' ? boolean : string;
type OptionValue<T extends Option> = T extends { multiple: true } ? string[] : ScalarValue<T['type']>;

export type OptionValues<T extends OptionTable> = {
  [K in keyof T]?: OptionValue<T[K]> | undefined;
};

export interface Invocation<T extends OptionTable> {
  options: OptionValues<T>;
  positionals: string[];
  stdout: Output;
  stderr: Output;
}

export interface Command<T extends OptionTable = OptionTable> {
  /** The ways to call it, without the program's name. */
  usage: readonly string[];
  /** The purpose, in lines of at most 100 characters. */
  description: string;
  options: T;
  /** Follows the options in the help. */
  notes?: string;
  /** Whole command lines. */
  examples: readonly string[];
  /** Options of earlier versions, and their replacements. */
  renamed?: Readonly<Record<string, string>>;
  /** Exit status: 0 done, 1 a check failed. Bad usage and bad input are thrown. */
  run(invocation: Invocation<T>): Promise<number>;
}

/** Commands under one name: `quintet kv compress`. */
export interface CommandGroup {
  usage: readonly string[];
  description: string;
  commands: Record<string, { summary: string; command: Command }>;
}

/** Keeps the option names of a command in its type. */
export function defineCommand<const T extends OptionTable>(command: Command<T>): Command {
  // `run` only ever gets what `options` of the same object describes.
  return command as unknown as Command;
}

/** Lists options under their own heading in the help. */
export function section<const T extends OptionTable>(heading: string, options: T): T {
  const entries = Object.entries(options).map(([name, option]) => [name, { ...option, section: heading }]);
  return Object.fromEntries(entries) as T;
}
