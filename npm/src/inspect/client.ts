// Reads files: in a worker that ends a few seconds after the last call, or in this thread.

import { abortable } from '../base/abort.js';
import { inputError } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import { checkReadOptions, readRules } from '../base/load_options.js';
import type { LoadProgress, ModelSource, ReadOptions } from '../base/types.js';
import { typeName } from '../base/values.js';
import { hubFilesOf } from '../sources/cache/hub_names.js';
import { singleFile } from '../sources/model_files.js';
import type { ArgumentsOf, MethodsOf, ResultOf } from '../worker/calls.js';
import { SingleCalls } from '../worker/single_calls.js';
import type { InspectCalls } from './calls.js';

const host = lazyPart(() => import('./host.js'), 'startInspectHost');

const calls = new SingleCalls<InspectCalls>({
  script: 'files_worker',
  inThread: async () => (await host()).startInspectHost,
});

/** Reads one file. */
export async function readFile<M extends MethodsOf<InspectCalls>>(
  method: M,
  args: ArgumentsOf<InspectCalls[M]>,
  source: ModelSource,
  options: ReadOptions = {},
): Promise<ResultOf<InspectCalls[M]>> {
  checkReadOptions(options, method, readRules);
  for (const name of args) {
    if (typeof name !== 'string') throw inputError('wrong_type', `${method}: name must be a string, not ${typeName(name)}`);
  }
  const { signal, onProgress } = options;
  const named = await hubFilesOf(source, method === 'inspect' ? method : 'file', options);
  const sources = named ?? (await singleFile(source, method, 'name one of its files'));
  const onEvent = onProgress && { onEvent: (progress: unknown) => onProgress(progress as LoadProgress) };
  return abortable(calls.run(method, args, sources, options, { signal, ...onEvent }), signal);
}
