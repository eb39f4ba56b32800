// Loads a text generator: into 32-bit memory, with threads, if possible; into 64-bit memory on request, or if it does
// not fit.

import type { QuintetError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { LoadProgress, ModelInput } from '../base/types.js';
import { hasMemory64 } from '../engine/start/features.js';
import { locate } from '../sources/locate.js';
import type { ModelFile, Reader } from '../sources/types.js';
import { type HostSpec, type LoadedModel, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import type { GeneratorCalls, GeneratorDescription, GeneratorHandle, GeneratorHostOptions } from './calls.js';
import { checkGeneratorLoadOptions } from './options.js';
import type { AdapterLoadOptions, GeneratorLoadOptions } from './types.js';

export { startChat } from './chat/chat.js';
export { conversationOf, tokenizeArguments } from './options.js';
export { GeneratorSession, SessionCalls, scoring } from './session.js';
export { generateMany } from './together/many.js';

const engine = lazyModule(() => import('./engine.js'), 'loadGeneratorHost');
const memory64 = lazyModule(() => import('./memory64_loading.js'), 'loadOtherwise', 'ReadableStream', 'Response');

const adapting = lazyModule(() => import('./adapters/client.js'), 'sendAdapter');

/** The parts of a model that a text generator reads. */
const reader: Reader = {
  who: 'TextGenerator',
  own: ['.amb', '.alt'],
  hasTemplates: true,
};

const kind: HostSpec<GeneratorCalls, GeneratorDescription, GeneratorHostOptions> = {
  script: 'generator_worker',
  inThread: async () => (await engine()).loadGeneratorHost,
};

type AdapterArguments = [name: string, source: ModelInput, options?: AdapterLoadOptions];

export async function loadGenerator(source: ModelInput, options: GeneratorLoadOptions = {}): Promise<GeneratorHandle> {
  checkGeneratorLoadOptions(options);
  const files = await locate(source, reader, options);
  return new ModelHandle(await loadWhereItFits(files, options));
}

export const loadAdapter = ({ backend, queue }: GeneratorHandle, ...given: AdapterArguments): Promise<void> =>
  queue.run(async () => (await adapting()).sendAdapter(backend, ...given));

async function loadWhereItFits(
  files: readonly ModelFile[],
  options: GeneratorLoadOptions,
): Promise<LoadedModel<GeneratorCalls, GeneratorDescription>> {
  // Exact by default: callers decide whether to trade quality for memory.
  const { format, quantize, contextLength, kvCache = 'f32', onProgress } = options;
  const kv = typeof kvCache === 'string' ? kvCache : { keys: 'f32', values: 'f32', ...kvCache };
  const own = { settings: JSON.stringify({ format, quantize, contextLength, kvCache: kv }) };
  const loadUsually = (from: readonly ModelFile[], watched: GeneratorLoadOptions) =>
    loadModel(kind, from, watched, own);
  const loadOtherwise = async (...refusal: [error?: QuintetError, reported?: number]) =>
    (await memory64()).loadOtherwise(loadUsually, files, options, own, ...refusal);
  // Streams cannot be read twice, so their bytes must be kept from the start.
  const mayBeStream = ({ source }: ModelFile) => typeof source !== 'string';
  const isPossible = options.memory64 ?? hasMemory64();
  if (options.memory64 === true || (isPossible && files.some(mayBeStream))) return loadOtherwise();
  let reported = 0;
  const counting = onProgress && {
    onProgress(progress: LoadProgress) {
      if (progress.stage === 'download') reported = progress.loaded;
      onProgress(progress);
    },
  };
  try {
    return await loadUsually(files, { ...options, ...counting });
  } catch (error) {
    if ((error as QuintetError | undefined)?.reason !== 'out_of_memory') throw error;
    return loadOtherwise(error as QuintetError, reported);
  }
}
