// The text generator behind the abstract class TextGenerator.

import { loadBackend } from './backend_loading.js';
import { CallQueue } from './call_queue.js';
import { rememberRuntime } from './capabilities.js';
import { checkIds, checkText } from './checked_arguments.js';
import { makeDisposable } from './disposable.js';
import { inputError, unsupported, type QuintetError } from './errors.js';
import { hasMemory64 } from './features.js';
import { logitsRules, scoringRequest, tokenizeRules } from './generate_options.js';
import type { LoadedGeneratorBackend, LoadUsually } from './generator_backend.js';
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
import { decoderInThread } from './in_thread_loader.js';
import { filesOf } from './model_files.js';
import type { NamedSource } from './model_folder.js';
import { checkLoadOptions, checkOptions, integer, oneOf } from './options.js';
import { loaded } from './part_loading.js';
import { GeneratorSession, SessionCalls, type GeneratorBackend } from './session.js';
import type { TextGenerator } from './text_generator.js';
import type { LoadedModelInfo, LoadProgress, ModelFolder, ModelSource, RuntimeInfo } from './types.js';

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
  const { backend, runtime } = await loadWhereItFits(files, options);
  rememberRuntime(runtime);
  return new (loadedGenerator ??= classOn(Base))(backend, runtime);
}

/** In 32-bit memory, with threads, where that will do; in 64-bit memory what is asked for there, and what does not fit. */
async function loadWhereItFits(
  files: readonly NamedSource[],
  options: GeneratorLoadOptions,
): Promise<LoadedGeneratorBackend> {
  // Exact by default: what less memory costs in quality is for the caller to choose.
  const { format, quantize, contextLength, kvCache = 'f32', memory64 = hasMemory64(), onProgress } = options;
  const own = { settings: JSON.stringify({ format, quantize, contextLength, kvCache }) };
  const loadUsually: LoadUsually = (...from) =>
    loadBackend('generator_worker', async () => (await decoderInThread()).loadGenerator, ...from, own);
  const loadOtherwise = async (...refusal: [error?: QuintetError, reported?: number]) =>
    (await loaded(() => import('./memory64_loading.js'), 'loadOtherwise')).loadOtherwise(
      ...[loadUsually, files, options, own] as const,
      ...refusal,
    );
  // Streams cannot be read twice: what is read of them must be kept from the begin on.
  const mayBeStream = ([, source]: NamedSource) => typeof source !== 'string';
  if (options.memory64 === true || (memory64 && files.some(mayBeStream))) return loadOtherwise();
  let reported = 0;
  const counting = onProgress && {
    onProgress(progress: LoadProgress) {
      reported = progress.loaded;
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
    readonly info: LoadedModelInfo;
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
