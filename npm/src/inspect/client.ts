// Reads files: in a worker that ends a few seconds after the last call, or in this thread.

import { abortable } from '../base/abort.js';
import { inputError, messageOf } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import { checkReadOptions, readRules } from '../base/rules.js';
import type { LoadProgress, ModelInfo, ModelSource, ReadOptions } from '../base/types.js';
import { isA, typeName } from '../base/values.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import type { ArgumentsOf, MethodsOf, ResultOf } from '../worker/calls.js';
import { SingleCalls } from '../worker/single_calls.js';
import type { InspectCalls } from './calls.js';
import type { InspectOptions, PlannedLoad } from './options.js';

const host = lazyModule(() => import('./host.js'), 'startInspectHost');

const calls = new SingleCalls<InspectCalls>({
  script: 'files_worker',
  inThread: async () => (await host()).startInspectHost,
});

const readerFor = (method: MethodsOf<InspectCalls>): Reader => ({
  who: method,
  kinds: ['gguf', 'safetensors', 'own'],
  own: ['.amb', '.alt', '.weights', '.tinyruntime'],
  single: `${method}: the model must be a file, not a folder: name one of its files`,
  isPartial: method === 'inspect',
});

/** `inspect`. */
export async function inspectFile(source: ModelSource, options: InspectOptions = {}): Promise<ModelInfo> {
  checkReadOptions(options, 'inspect', { ...readRules, load: ['an object', (value) => isA(value, 'Object')] });
  const { load = {}, ...others } = options;
  return readFile('inspect', [textOf(load)], source, others);
}

/** The engine checks the options. */
function textOf(load: PlannedLoad): string {
  try {
    return JSON.stringify(load);
  } catch (error) {
    throw inputError('wrong_type', `inspect: option 'load' is not plain data: ${messageOf(error)}`);
  }
}

/** Reads one file. */
export async function readFile<M extends MethodsOf<InspectCalls>>(
  method: M,
  args: ArgumentsOf<InspectCalls[M]>,
  source: ModelSource,
  options: ReadOptions = {},
): Promise<ResultOf<InspectCalls[M]>> {
  checkReadOptions(options, method, readRules);
  for (const name of args) {
    if (typeof name !== 'string')
      throw inputError('wrong_type', `${method}: name must be a string, not ${typeName(name)}`);
  }
  const { signal, onProgress } = options;
  const sources = await locate(source, readerFor(method), options);
  const onEvent = onProgress && { onEvent: (progress: unknown) => onProgress(progress as LoadProgress) };
  return abortable(calls.run(method, args, sources, options, { signal, ...onEvent }), signal);
}
