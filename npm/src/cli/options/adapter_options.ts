// The adapters of a text generator.
import type { GenerateOptions, TextGenerator } from '../../index.js';
import type { OptionTable } from '../command.js';

export const ADAPTER_OPTIONS = {
  adapter: {
    type: 'string',
    multiple: true,
    value: 'FILE[:SCALE]',
    help: 'use this LoRA adapter, a folder of PEFT, a GGUF file or hf:OWNER/NAME; may be given more than once',
  },
} as const satisfies OptionTable;

/** A file, and the scale after it. */
export function adapterArgument(argument: string): { adapter: string; scale: number } {
  const [, adapter = argument, scale = '1'] = /^(.+):(-?\d+(?:\.\d+)?)$/.exec(argument) ?? [];
  return { adapter, scale: Number(scale) };
}

/** Loads the adapters. Returns the options with which texts use them. */
export async function loadAdapters(
  generator: TextGenerator,
  given: readonly string[] = [],
): Promise<Pick<GenerateOptions, 'adapters'>> {
  const adapters: { name: string; scale: number }[] = [];
  for (const argument of given) {
    const { adapter: name, scale } = adapterArgument(argument);
    if (!adapters.some((other) => other.name === name)) await generator.loadAdapter(name, name);
    adapters.push({ name, scale });
  }
  return given.length > 0 ? { adapters } : {};
}
