// Vectors of tokens and sparse vectors. Loaded with the first call that wants them: few models give them.

import { checkIds, checkTexts, sliceFrom } from '../base/arguments.js';
import { unsupported } from '../base/errors.js';
import type { EmbedderHandle, TokenResult, TokenSettings } from './calls.js';
import { checkTokenOptions, type SparseVector, type TokenEmbedOptions, type TokenVectors } from './options.js';
import { rolePrompt } from './prompts.js';

/** What a call wants of the model. */
interface Wanted<T> {
  vectors: 'multi' | 'sparse';
  caller: string;
  /** A text's entries: their indices, and as many values for each. */
  resultOf(indices: Int32Array, values: Float32Array): T;
}

export class TokenClient {
  constructor(private readonly handle: EmbedderHandle) {}

  multi(texts: readonly string[], options: TokenEmbedOptions | undefined): Promise<TokenVectors[]> {
    return this.run(texts, options, this.multiWanted('embedMulti'));
  }

  multiIds(ids: readonly number[], options: TokenEmbedOptions | undefined): Promise<TokenVectors> {
    return this.runIds(ids, options, this.multiWanted('embedMultiIds'));
  }

  sparse(texts: readonly string[], options: TokenEmbedOptions | undefined): Promise<SparseVector[]> {
    return this.run(texts, options, sparseWanted('embedSparse'));
  }

  sparseIds(ids: readonly number[], options: TokenEmbedOptions | undefined): Promise<SparseVector> {
    return this.runIds(ids, options, sparseWanted('embedSparseIds'));
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
          results.push(...split(result, wanted));
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
    return split(result, wanted)[0]!;
  }

  private settle(options: TokenEmbedOptions | undefined, { vectors, caller }: Wanted<unknown>): TokenSettings {
    const { usage, maxPositions } = this.handle.description;
    checkTokenOptions(options, maxPositions, caller);
    if (usage.vectors !== vectors) {
      throw unsupported(`${caller}: the model gives ${usage.vectors} vectors, not ${vectors} ones`);
    }
    const { role = 'document', maxLength = 0 } = options ?? {};
    return { role, maxLength, prompt: rolePrompt(usage.prompts, role) ?? '' };
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
}

const sparseWanted = (caller: string): Wanted<SparseVector> => ({
  vectors: 'sparse',
  caller,
  resultOf: (indices, values) => ({ indices, values }),
});

/** Copies, so that each result can be transferred or kept by itself. */
function split<T>({ counts, indices, values }: TokenResult, { resultOf }: Wanted<T>): T[] {
  const width = indices.length === 0 ? 0 : values.length / indices.length;
  let end = 0;
  return Array.from(counts, (count) => {
    const begin = end;
    end += count;
    return resultOf(indices.slice(begin, end), values.slice(begin * width, end * width));
  });
}
