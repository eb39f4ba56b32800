// The text generator behind the abstract class TextGenerator.

import { loadBackend } from './backend_loading.js';
import { CallQueue } from './call_queue.js';
import { rememberRuntime } from './capabilities.js';
import { checkIds, checkText } from './checked_arguments.js';
import { makeDisposable } from './disposable.js';
import { inputError, QuintetError, unsupported } from './errors.js';
import { hasMemory64 } from './features.js';
import { logitsRules, scoringRequest, tokenizeRules } from './generate_options.js';
import type {
  GeneratorCalls,
  GeneratorDescription,
  GeneratorHostOptions,
  GeneratorLoad,
  LoadedGeneratorBackend,
} from './generator_backend.js';
import type {
  GenerateOptions,
  Generation,
  GeneratorLoadOptions,
  LogitsOptions,
  PerplexityOptions,
  Prompt,
  Session,
  TokenizeOptions,
} from './generator_types.js';
import { decoderInThread, memory64InThread } from './in_thread_loader.js';
import { filesOf } from './model_files.js';
import type { NamedSource } from './model_folder.js';
import { checkLoadOptions, checkOptions, integer, oneOf } from './options.js';
import { loaded } from './part_loading.js';
import { GeneratorSession, SessionCalls, type GeneratorBackend } from './session.js';
import { isStream } from './source.js';
import type { TextGenerator } from './text_generator.js';
import type { LoadProgress, ModelFolder, ModelInfo, ModelSource, RuntimeInfo } from './types.js';

type GeneratorBase = abstract new () => TextGenerator;

/** `Base` is the class TextGenerator, which loads this module and so cannot be imported by it. */
export async function loadTextGenerator(
  Base: GeneratorBase,
  source: ModelSource | ModelFolder,
  options: GeneratorLoadOptions = {},
): Promise<TextGenerator> {
  checkGeneratorLoadOptions(options);
  const files = await filesOf(source);
  if (options.integrity && files.length > 1) throw inputError('mismatch', "load: 'integrity' is that of one file");
  // Exact by default: what less memory costs in quality is for the caller to choose.
  const { format, quantize, contextLength, kvCache = 'f32' } = options;
  const settings = JSON.stringify({ format, quantize, contextLength, kvCache });
  const load: GeneratorLoad = (memory64, ...from) =>
    loadBackend<GeneratorCalls, GeneratorDescription, GeneratorHostOptions>(
      memory64 ? 'memory64_worker' : 'generator_worker',
      async () =>
        memory64 ? (await memory64InThread()).loadGeneratorInMemory64 : (await decoderInThread()).loadGenerator,
      ...from,
      { settings },
    );
  const { backend, runtime } = await loadWhereItFits(load, files, options);
  rememberRuntime(runtime);
  return new (loadedGenerator ??= classOn(Base))(backend, runtime);
}

const memory64Loading = () => loaded(() => import('./memory64_loading.js'), 'loadInMemory64');

/** In 32-bit memory, with threads, where that will do. */
async function loadWhereItFits(
  load: GeneratorLoad,
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
): Promise<LoadedGeneratorBackend> {
  const { memory64 = 'auto', onProgress } = options;
  if (memory64 === true) return (await memory64Loading()).loadInMemory64(load, files, options);
  if (memory64 === 'auto' && hasMemory64() && !options.cache && files.some(([, source]) => isStream(source))) {
    return (await memory64Loading()).loadStreams(load, files, options);
  }
  let reported = 0;
  const counting = onProgress && {
    onProgress(progress: LoadProgress) {
      reported = progress.loaded;
      onProgress.call(options, progress);
    },
  };
  try {
    return await load(false, files, { ...options, ...counting });
  } catch (error) {
    if (!(error instanceof QuintetError) || error.reason !== 'out_of_memory') throw error;
    return (await memory64Loading()).loadAgain(error, load, files, options, reported);
  }
}

function checkGeneratorLoadOptions(options: GeneratorLoadOptions): void {
  const kvCache = oneOf('f32', 'f16', 'int8', 'int4');
  checkLoadOptions(options, { contextLength: integer(1, 2 ** 31 - 1), kvCache }, true);
  const { format = 'amb', attentionHeads } = options;
  if (format !== 'amb' && format !== 'alt') throw unsupported(`no text generator is read from '${format}' files`);
  if (attentionHeads !== undefined) throw unsupported("load: 'attentionHeads' is for embedders only");
}

const forgotten = new FinalizationRegistry<GeneratorBackend>((backend) => backend.close());

type LoadedGenerator = new (backend: GeneratorBackend, runtime: RuntimeInfo) => TextGenerator;
let loadedGenerator: LoadedGenerator | undefined;

function classOn(Base: GeneratorBase): LoadedGenerator {
  class Loaded extends Base {
    readonly info: ModelInfo;
    readonly contextLength: number;
    private readonly queue = new CallQueue();
    /** What it generates without a session of the caller's. */
    private readonly own: SessionCalls;

    constructor(
      private readonly backend: GeneratorBackend,
      runtime: RuntimeInfo,
    ) {
      super();
      const { info, contextLength } = backend.description;
      this.info = { ...info, runtime };
      this.contextLength = contextLength;
      this.own = new SessionCalls(backend, 0, this, this.queue);
      forgotten.register(this, backend, this);
    }

    generate(prompt: Prompt, options?: GenerateOptions): Generation {
      return this.own.generateAfter(prompt, options, true);
    }

    createSession(): Session {
      return new GeneratorSession(this.backend, this, ({ number }) => this.backend.call('createSession', [number]));
    }

    async perplexity(
      text: string | readonly number[],
      options: PerplexityOptions = {},
    ): Promise<{ perplexity: number; tokens: number }> {
      const { input, watch } = scoringRequest(text, options);
      return this.queue.run(() => this.backend.call('perplexity', [input], watch), watch.signal);
    }

    async logits(ids: readonly number[], options: LogitsOptions = {}): Promise<Float32Array> {
      checkOptions(options, logitsRules, 'logits');
      const { signal, all = false } = options;
      const checked = checkIds(ids);
      if (checked.length === 0) throw inputError('missing', 'logits: there are no ids');
      return this.queue.run(() => this.backend.call('logits', [checked, all], { signal }), signal);
    }

    async tokenize(text: string, options: TokenizeOptions = {}): Promise<Int32Array> {
      checkOptions(options, tokenizeRules, 'tokenize');
      const { addBos = true, parseSpecial = false } = options;
      checkText(text, 0);
      return this.queue.run(() => this.backend.call('tokenize', [text, addBos, parseSpecial]));
    }

    async detokenize(ids: readonly number[]): Promise<string> {
      const checked = checkIds(ids);
      return this.queue.run(() => this.backend.call('detokenize', [checked]));
    }

    async tokens(ids: readonly number[]): Promise<string[]> {
      const checked = checkIds(ids);
      return this.queue.run(() => this.backend.call('tokens', [checked]));
    }

    close(): void {
      forgotten.unregister(this);
      this.queue.close();
      this.backend.close();
    }
  }

  makeDisposable(Loaded.prototype);
  return Loaded;
}
