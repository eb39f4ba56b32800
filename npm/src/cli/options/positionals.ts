import { UsageError } from '../ending.js';

/** The arguments of a command that expects exactly these. */
export function exactPositionals<const N extends readonly string[]>(
  positionals: string[],
  ...names: N
): { [K in keyof N]: string } {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  if (positionals.length > names.length) {
    throw new UsageError(`too many arguments: '${positionals[names.length]}'`);
  }
  return positionals as { [K in keyof N]: string };
}

export function onlyPositional(positionals: string[], name: string): string {
  return exactPositionals(positionals, name)[0];
}

export function somePositionals(positionals: string[], name: string): string[] {
  if (positionals.length === 0) throw new UsageError(`${name} is missing`);
  return positionals;
}
