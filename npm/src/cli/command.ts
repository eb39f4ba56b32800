// What a command of the command line is: its help, its options, and the work it does.
import type { ParseArgsConfig } from 'node:util';
import type { Output } from './output/output.js';

export type OptionTable = NonNullable<ParseArgsConfig['options']>;

type ScalarValue<Type> = Type extends 'boolean' ? boolean : string;
type OptionValue<Option extends OptionTable[string]> = Option extends { multiple: true }
  ? string[]
  : ScalarValue<Option['type']>;

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
  /** The whole answer to `--help`. */
  help: string;
  options: T;
  /** Exit status: 0 done, 1 a check failed. Bad usage and bad input are thrown. */
  run(invocation: Invocation<T>): Promise<number>;
}

/** Commands under one name: `quintet kv compress`. */
export interface CommandGroup {
  /** The whole answer to `--help` without a command. */
  help: string;
  commands: Record<string, Command>;
}

/** Keeps the option names of a command in its type. */
export function defineCommand<const T extends OptionTable>(command: Command<T>): Command {
  // `run` only ever gets what `options` of the same object describes.
  return command as unknown as Command;
}
