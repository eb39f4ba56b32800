// Adapters of a text generator on the caller's side. Loaded with the first one.

import { throwIfAborted } from '../../base/abort.js';
import { inputError } from '../../base/errors.js';
import type { ModelInput } from '../../base/types.js';
import { checkOptions, isA, type Rule, shown, signal } from '../../base/values.js';
import { adapterReader } from '../../sources/adapter_files.js';
import { locate } from '../../sources/locate.js';
import type { GeneratorBackend } from '../calls.js';
import type { AdapterLoadOptions } from '../types.js';

const hub: Rule = ['an object', (value) => isA(value, 'Object')];
const rules: Record<keyof AdapterLoadOptions, Rule> = { hub, signal };

export async function sendAdapter(
  backend: GeneratorBackend,
  name: string,
  source: ModelInput,
  options: AdapterLoadOptions = {},
): Promise<void> {
  if (typeof name !== 'string' || name === '')
    throw inputError('wrong_type', `loadAdapter: the name must be a text, not ${shown(name)}`);
  checkOptions(options, rules, 'loadAdapter');
  throwIfAborted(options.signal);
  const sources = await locate(source, adapterReader('loadAdapter'), options);
  await backend.call('loadAdapter', [name], { signal: options.signal, sources });
}
