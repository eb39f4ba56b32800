// Vectors of tokens and sparse vectors. Loaded with the first call that wants them: few models give them.

import { checkIds, checkTexts, sliceFrom } from '../base/arguments.js';
import { unsupported } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import { callback, integer } from '../base/rules.js';
import { checkOptions, oneOf, type Rule, signal } from '../base/values.js';
import type { EmbedderHandle, TokenResult, TokenSettings } from './calls.js';
import type { SparseVector, TokenEmbedOptions, TokenVectors } from './options.js';
import { rolePrompt } from './prompts.js';

/** The output that a call requests. */
interface Wanted<T> {
  vectors: 'multi' | 'sparse';
  caller: string;
  /** A text's entries: their indices, and as many values for each. */
  resultOf(indices: Int32Array, values: Float32Array, ids: Int32Array): T;
  /** Whether it needs the ids of the text. */
  needsIds?: boolean;
}

const noIds = new Int32Array();
const heads = lazyModule(() => import('./checkpoints/adapted.js'), 'tokenWeights');

export class TokenClient {
  constructor(private readonly handle: EmbedderHandle) {}

  multi(texts: readonly string[], options: TokenEmbedOptions | undefined): Promise<TokenVectors[]> {
    return this.run(texts, options, this.multiWanted('embedMulti'));
  }

  multiIds(ids: readonly number[], options: TokenEmbedOptions | undefined): Promise<TokenVectors> {
    return this.runIds(ids, options, this.multiWanted('embedMultiIds'));
  }

  async sparse(texts: readonly string[], options: TokenEmbedOptions | undefined): Promise<SparseVector[]> {
    return this.run(texts, options, await this.sparseWanted('embedSparse'));
  }

  async sparseIds(ids: readonly number[], options: TokenEmbedOptions | undefined): Promise<SparseVector> {
    return this.runIds(ids, options, await this.sparseWanted('embedSparseIds'));
  }

  private async run<T>(texts: readonly string[], options: TokenEmbedOptions | undefined, wanted: Wanted<T>) {
    const settings = this.settle(options, wanted);
    const list = checkTexts(texts);
    const results: T[] = [];
    const { signal } = options ?? {};
    await this.handle.queue.run(
      async () => {
        while (results.length < list.length) {
          const first = results.length;
          const slice = sliceFrom(list, first);
          const result = await this.handle.backend.call('embedTokens', [slice, settings], { signal });
          results.push(...split(result, wanted, wanted.needsIds ? await this.idsOf(slice, signal) : []));
          this.report(result, first, settings, options);
          options?.onProgress?.(results.length, list.length);
        }
      },
      { signal },
    );
    return results;
  }

  private async runIds<T>(ids: readonly number[], options: TokenEmbedOptions | undefined, wanted: Wanted<T>) {
    const { role } = this.settle(options, wanted);
    const { signal } = options ?? {};
    const result = await this.handle.call('embedTokenIds', [checkIds(ids), role], { signal });
    return split(result, wanted, [Int32Array.from(ids)])[0]!;
  }

  private settle(options: TokenEmbedOptions | undefined, { vectors, caller }: Wanted<unknown>): TokenSettings {
    const { usage, maxPositions } = this.handle.description;
    checkTokenOptions(options, maxPositions, caller);
    if (usage.vectors !== vectors) {
      throw unsupported(`${caller}: the model gives ${usage.vectors} vectors, not ${vectors} ones`);
    }
    const { role = 'document', maxLength = 0 } = options ?? {};
    const prompt = rolePrompt(usage.prompts, role) ?? '';
    return { role: usage.isFurtherHead ? 'document' : role, maxLength, prompt };
  }

  private idsOf(texts: readonly string[], signal: AbortSignal | undefined): Promise<Int32Array[]> {
    return Promise.all(texts.map((text) => this.handle.backend.call('tokenize', [text], { signal })));
  }

  private report(
    { tokens }: TokenResult,
    first: number,
    { role, maxLength }: TokenSettings,
    options: TokenEmbedOptions | undefined,
  ): void {
    const most = maxLength || this.handle.description.usage.maxLengths![role];
    tokens.forEach((count, i) => {
      if (count > most) options?.onTruncate?.(first + i, count);
    });
  }

  private multiWanted(caller: string): Wanted<TokenVectors> {
    const { dimension } = this.handle.description;
    return { vectors: 'multi', caller, resultOf: (kept, vectors) => ({ vectors, dimension, kept }) };
  }

  private async sparseWanted(caller: string): Promise<Wanted<SparseVector>> {
    const wanted = { vectors: 'sparse' as const, caller };
    if (!this.handle.description.usage.isFurtherHead)
      return { ...wanted, resultOf: (indices, values) => ({ indices, values }) };
    const { tokenWeights } = await heads();
    return { ...wanted, needsIds: true, resultOf: tokenWeights };
  }
}

/** `maxPositions`: the upper limit of `maxLength`. */
function checkTokenOptions(options: TokenEmbedOptions | undefined, maxPositions: number, caller: string): void {
  const rules: Record<keyof TokenEmbedOptions, Rule> = {
    role: oneOf('query', 'document'),
    maxLength: integer(1, maxPositions),
    onTruncate: callback,
    onProgress: callback,
    signal,
  };
  checkOptions(options, rules, caller);
}

/** Copies, so that each result can be transferred or kept separately. */
function split<T>({ counts, indices, values }: TokenResult, { resultOf }: Wanted<T>, ids: readonly Int32Array[]): T[] {
  const width = indices.length === 0 ? 0 : values.length / indices.length;
  let end = 0;
  return Array.from(counts, (count, i) => {
    const begin = end;
    end += count;
    return resultOf(indices.slice(begin, end), values.slice(begin * width, end * width), ids[i] ?? noIds);
  });
}
