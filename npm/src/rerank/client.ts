// Runs lists of texts through a reranker in batches, with progress, aborts and truncation reports.

import { checkIds, checkText, checkTexts, sliceFrom } from '../base/arguments.js';
import { inputError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import { type HostSpec, loadModel } from '../worker/loading.js';
import { ModelHandle } from '../worker/model_handle.js';
import type { RerankerCalls, RerankerDescription, RerankerHandle, RerankerHostOptions } from './calls.js';
import {
  checkRankOptions,
  checkRerankerLoadOptions,
  checkScoreOptions,
  type RankedText,
  type RankOptions,
  type RerankerLoadOptions,
  type ScoreOptions,
} from './options.js';

/** The parts of a model that a reranker reads. */
const reader: Reader = {
  who: 'Reranker',
  kinds: ['safetensors', 'gguf'],
  own: [],
  hasModules: true,
};

const kind: HostSpec<RerankerCalls, RerankerDescription, RerankerHostOptions> = {
  script: 'reranker_worker',
  inThread: async () => (await host()).loadRerankerHost,
};
const host = lazyModule(() => import('./host.js'), 'loadRerankerHost');

export async function loadReranker(source: ModelInput, options: RerankerLoadOptions = {}): Promise<RerankerHandle> {
  checkRerankerLoadOptions(options);
  const files = await locate(source, reader, options);
  const { format = '', quantize = 'none' } = options;
  return new ModelHandle(await loadModel(kind, files, options, { format, quantize }));
}

const maxType = 255;

export class RerankRuns {
  constructor(private readonly handle: RerankerHandle) {}

  async score(query: string, texts: readonly string[], options: ScoreOptions | undefined): Promise<Float32Array> {
    checkScoreOptions(options, this.handle.description.maxPositions);
    return this.scoreAll(checkText(query), checkTexts(texts), options);
  }

  async rank(query: string, texts: readonly string[], options: RankOptions | undefined): Promise<RankedText[]> {
    checkRankOptions(options, this.handle.description.maxPositions);
    const list = checkTexts(texts);
    const scores = await this.scoreAll(checkText(query), list, options);
    return list
      .map((text, index) => ({ index, score: scores[index]!, text }))
      .sort((a, b) => b.score - a.score)
      .slice(0, options?.topK);
  }

  async scoreIds(ids: readonly number[], tokenTypes: readonly number[] = []): Promise<number> {
    const checked = checkIds(ids);
    const types = checkIds(tokenTypes);
    if (types.length !== 0 && types.length !== checked.length) {
      throw inputError('mismatch', `there are ${types.length} token types for ${checked.length} ids`);
    }
    const wrong = types.find((type) => type > maxType);
    if (wrong !== undefined) throw inputError('out_of_range', `token type ${wrong} is more than ${maxType}`);
    return this.handle.call('scoreIds', [checked, types]);
  }

  private async scoreAll(
    query: string,
    texts: readonly string[],
    options: ScoreOptions | undefined,
  ): Promise<Float32Array> {
    const { signal } = options ?? {};
    const maxLength = options?.maxLength ?? this.handle.description.maxLength;
    const all = new Float32Array(texts.length);
    await this.handle.queue.run(
      async () => {
        for (let first = 0; first < texts.length; ) {
          const slice = sliceFrom(texts, first);
          const { scores, tokens } = await this.handle.backend.call('score', [query, slice, maxLength], { signal });
          all.set(scores, first);
          tokens.forEach((count, i) => {
            if (count > maxLength) options?.onTruncate?.(first + i, count);
          });
          first += slice.length;
          options?.onProgress?.(first, texts.length);
        }
      },
      { signal },
    );
    return all;
  }
}
