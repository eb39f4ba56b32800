// Options of quintet/safetensors: one that is unknown or cannot be is an error, never ignored.

import { isA, typeName } from './byte_source.js';
import { inputError } from './errors.js';

const rules: Record<string, (value: unknown) => boolean> = {
  floats: (value) => value === 'bits' || value === 'float32',
  signal: (value) => isA(value, 'AbortSignal'),
  from: Number.isSafeInteger,
  to: Number.isSafeInteger,
};

export function checkOptions(options: object, ...names: string[]): void {
  if (!isA(options, 'Object')) throw inputError('wrong_type', `options are an object, not ${typeName(options)}`);
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) throw inputError('unknown_option', `there is no option '${name}'`);
    if (value !== undefined && !rules[name]!(value)) throw inputError('out_of_range', `option '${name}' cannot be so`);
  }
}
