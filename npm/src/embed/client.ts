// Runs lists and streams of texts through an embedder in batches, with progress, aborts and truncation reports.

import { allocate } from '../base/allocation.js';
import { checkIds, checkText, checkTexts, sliceFrom } from '../base/arguments.js';
import { inputError, unsupported } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInfo, ModelInput } from '../base/types.js';
import { isA } from '../base/values.js';
import { isFolder, isList } from '../sources/folder.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import type { TextChunk } from '../text/chunker.js';
import { type HostSpec, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import type {
  EmbedderCalls,
  EmbedderDescription,
  EmbedderHandle,
  EmbedderHostOptions,
  EmbedderUsage,
  EmbedResult,
  EmbedSettings,
} from './calls.js';
import {
  checkChunkOptions,
  checkEmbedderLoadOptions,
  checkEmbedOptions,
  type EmbedderChunkOptions,
  type EmbedderLoadOptions,
  type EmbedOptions,
  type Encoding,
  type PromptOptions,
  type TextRole,
} from './options.js';
import { rolePrompt } from './prompts.js';

/** The parts of a model that an embedder reads. */
export const embedderReader: Reader = {
  who: 'Embedder',
  own: ['.weights'],
  hasModules: true,
};

const kind: HostSpec<EmbedderCalls, EmbedderDescription, EmbedderHostOptions> = {
  script: 'embedder_worker',
  inThread: async () => (await host()).loadEmbedderHost,
};
const host = lazyModule(() => import('./host.js'), 'loadEmbedderHost');
const knownModels = lazyModule(() => import('./missing_prompts.js'), 'missingPrompts');
const checkpoints = lazyModule(() => import('./checkpoints/adapted.js'), 'adaptedFiles');
const batching = lazyModule(() => import('../text/batches.js'), 'Batches');

/** The settings of a checkpoint of Stanford's ColBERT. */
const colbertSettings = 'artifact.metadata';

export async function loadEmbedder(source: ModelInput, options: EmbedderLoadOptions = {}): Promise<EmbedderHandle> {
  checkEmbedderLoadOptions(options);
  const { vectors = 'dense', signal } = options;
  const heads = vectors === 'dense' ? undefined : await checkpoints();
  const other = heads ? heads.headFile(vectors) : colbertSettings;
  let files = await locate(source, { ...embedderReader, others: [other] }, options);
  if (heads || files.some(({ name }) => name === other))
    files = await (await checkpoints()).adaptedFiles(files, other, vectors, signal);
  const { format = '', attentionHeads = 0, quantize = 'none', task = '' } = options;
  const handle = new ModelHandle(await loadModel(kind, files, options, { format, attentionHeads, quantize, task }));
  heads?.describeHead(handle.description, vectors);
  await warnOfMissingPrompts(source, handle);
  return handle;
}

/** Few models are known to expect prompts: for others, their table is not downloaded. */
async function warnOfMissingPrompts(source: ModelInput, { info, description }: EmbedderHandle): Promise<void> {
  const names = modelNames(source, info);
  const hasPrompts = Object.values(description.usage.prompts).some((prompt) => prompt !== '');
  if (hasPrompts || !/e5|nomic/i.test(names)) return;
  const warning = (await knownModels()).missingPrompts(names, info['architecture']);
  if (warning !== undefined) info.warnings = [...(info.warnings ?? []), warning];
}

export class EmbedClient {
  constructor(private readonly handle: EmbedderHandle) {}

  async embed(
    texts: string | readonly string[],
    options: EmbedOptions | undefined,
    role?: TextRole,
  ): Promise<Float32Array | Float32Array[]> {
    const isOne = typeof texts === 'string';
    const rows = await this.embedAll(isOne ? [texts] : texts, options, role);
    return isOne ? rows[0]! : rows;
  }

  async embedAll(
    texts: readonly string[],
    options: EmbedOptions | undefined,
    role?: TextRole,
  ): Promise<Float32Array[]> {
    const rows: Float32Array[] = [];
    const settings = this.settle(options, role);
    await this.runAll(checkTexts(texts), settings, options, ({ vectors }) => {
      rows.push(...rowsOf(vectors, settings.dimensions));
    });
    return rows;
  }

  async encode(texts: readonly string[], options?: EmbedOptions): Promise<Encoding> {
    const list = checkTexts(texts);
    const settings = this.settle(options);
    const dimension = settings.dimensions;
    const vectors = allocate(Float32Array, list.length * dimension);
    const tokens = new Int32Array(list.length);
    const truncated = new Uint8Array(list.length);
    await this.runAll(list, settings, options, (result, first) => {
      vectors.set(result.vectors, first * dimension);
      tokens.set(result.tokens, first);
      result.tokens.forEach((count, i) => (truncated[first + i] = Number(isCut(count, settings))));
    });
    return { vectors, dimension, tokens, truncated };
  }

  async *embedStream(
    texts: Iterable<string> | AsyncIterable<string>,
    options?: EmbedOptions,
  ): AsyncGenerator<Float32Array, void, undefined> {
    const settings = this.settle(options);
    const total = Array.isArray(texts) ? texts.length : Infinity;
    const { Batches } = await batching();
    const batches = new Batches(texts, {
      expected: 'texts must be an iterable of strings',
      check: checkText,
      textOf: (text) => text,
    });
    try {
      for (let first = 0, batch; (batch = await batches.next(options?.signal)).length; first += batch.length) {
        const slice = batch;
        const start = first;
        const { vectors } = await this.handle.queue.run(() => this.embedSlice(slice, start, total, settings, options), {
          signal: options?.signal,
        });
        yield* rowsOf(vectors, settings.dimensions);
      }
    } finally {
      await batches.close();
    }
  }

  async embedIds(ids: readonly number[], options?: EmbedOptions): Promise<Float32Array> {
    const settings = this.settle(options);
    const checked = checkIds(ids);
    if (options?.maxLength !== undefined && checked.length > settings.maxLength) {
      throw inputError('too_long', `there are ${checked.length} ids, ${settings.maxLength} are allowed`);
    }
    const { signal } = options ?? {};
    return this.handle.call('embedIds', [checked, settings], { signal });
  }

  async chunk(text: string, options: EmbedderChunkOptions | undefined): Promise<TextChunk[]> {
    const { maxLength, usage } = this.handle.description;
    checkChunkOptions(options);
    const { maxTokens = maxLength, overlap = 0 } = options ?? {};
    if (overlap >= maxTokens) throw inputError('out_of_range', "chunk: 'overlap' must be less than 'maxTokens'");
    return this.handle.call('chunk', [checkText(text), promptOf(usage, options, 'chunk'), maxTokens, overlap]);
  }

  /** `role`: the role of the texts, unless the options give it. */
  private settle(options: EmbedOptions | undefined, role?: TextRole): EmbedSettings {
    const { usage, ...description } = this.handle.description;
    checkEmbedOptions(options, description);
    const { vectors } = usage;
    if (vectors !== 'dense') {
      const method = vectors === 'multi' ? 'embedMulti' : 'embedSparse';
      throw unsupported(`embed: the model gives ${vectors} vectors: call ${method}`);
    }
    return {
      pooling: options?.pooling ?? usage.pooling,
      normalize: options?.normalize ?? usage.normalize,
      prompt: promptOf(usage, role ? { role, ...options } : options, 'embed'),
      dimensions: options?.dimensions ?? description.dimension,
      maxLength: options?.maxLength ?? description.maxLength,
      truncate: options?.truncate ?? 'end',
    };
  }

  /** Runs a list slice by slice; `take` receives the result of each slice and the index of its first text. */
  private async runAll(
    texts: readonly string[],
    settings: EmbedSettings,
    options: EmbedOptions | undefined,
    take: (result: EmbedResult, first: number) => void,
  ): Promise<void> {
    await this.handle.queue.run(
      async () => {
        for (let first = 0; first < texts.length; ) {
          const slice = sliceFrom(texts, first);
          take(await this.embedSlice(slice, first, texts.length, settings, options), first);
          first += slice.length;
        }
      },
      { signal: options?.signal },
    );
  }

  private async embedSlice(
    slice: readonly string[],
    first: number,
    total: number,
    settings: EmbedSettings,
    options: EmbedOptions | undefined,
  ): Promise<EmbedResult> {
    const result = await this.handle.backend.call('embed', [slice, first, settings], { signal: options?.signal });
    result.tokens.forEach((count, i) => {
      if (isCut(count, settings)) options?.onTruncate?.(first + i, count);
    });
    options?.onProgress?.(first + slice.length, total);
    return result;
  }
}

/** Copies, so that each vector can be transferred or kept separately. */
function* rowsOf(vectors: Float32Array, dimension: number): Generator<Float32Array, void> {
  for (let at = 0; at < vectors.length; at += dimension) yield vectors.slice(at, at + dimension);
}

const isCut = (tokens: number, { truncate, maxLength }: EmbedSettings) => truncate === 'end' && tokens > maxLength;

/** The prompt that is put before every text. */
function promptOf({ prompts, defaultPrompt }: EmbedderUsage, options: PromptOptions = {}, caller: string): string {
  const { prompt, promptName, role } = options;
  if (prompt !== undefined && promptName !== undefined) {
    throw inputError('mismatch', `${caller}: 'prompt' and 'promptName' exclude each other`);
  }
  if (prompt !== undefined) return prompt;
  const ofRole = role && promptName === undefined ? rolePrompt(prompts, role) : undefined;
  if (ofRole !== undefined) return ofRole;
  const name = promptName ?? defaultPrompt;
  if (name === undefined) return '';
  if (Object.hasOwn(prompts, name)) return prompts[name]!;
  const names = Object.keys(prompts).join(', ') || 'none';
  throw inputError('unknown_value', `${caller}: the model has no prompt '${name}'; it has ${names}`);
}

/** The names of a model, each in a line. */
const modelNames = (source: ModelInput, { metadata }: ModelInfo): string =>
  [namesOf(source), metadata['name'], metadata['general.name']].join('\n');

/** The names of the folder and the file at a location, or of all given files. */
function namesOf(source: ModelInput): string {
  if (typeof source === 'string' || isA(source, 'URL')) return String(source).split('/').slice(-2).join('/');
  if (isList(source) || isFolder(source)) return Object.values(source).map(namesOf).join('\n');
  return isA(source, 'File') ? (source as unknown as File).name : '';
}
