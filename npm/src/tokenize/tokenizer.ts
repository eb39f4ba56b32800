/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyPart } from '../base/lazy_part.js';
import type { ModelFolder, ModelSource } from '../base/types.js';
import type { NativeTokens } from './native_tokens.js';
import type { DecodeOptions, EncodedPair, EncodeOptions, EncodePairOptions, TokenizerLoadOptions } from './options.js';

/** What tokenizes comes with the first tokenizer, for the sake of pages that have none. */
const tokenizing = lazyPart(() => import('./loading.js'), 'loadTokenizer');

const forgotten = new FinalizationRegistry<NativeTokens>((tokens) => tokens.close());

/** A model's tokenizer without its weights. Every method is synchronous. */
export class Tokenizer extends Disposable {
  /** The kind of tokenizer, for instance 'WordPiece' or 'BPE'. */
  readonly type: string;
  /** Number of tokens in the vocabulary. */
  readonly size: number;
  /** Ids of the special tokens; null for one that the model does not have. */
  readonly special: Readonly<Record<string, number | null>>;

  private constructor(private readonly tokens: NativeTokens) {
    super();
    const { type, size, special } = tokens.info;
    this.type = type;
    this.size = size;
    this.special = special;
    forgotten.register(this, tokens, this);
  }

  /**
   * Loads the tokenizer of a model file of any kind, a tokenizer.json, tokenizer.model or vocab.txt, or that of a Hugging Face
   * folder, with or without weights; in Node also from the path of one. Of a model file that can be read in any order only
   * the begin is read.
   * @throws QuintetError FORMAT for a broken file, UNSUPPORTED for one without a tokenizer; IO, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelSource | ModelFolder, options?: TokenizerLoadOptions): Promise<Tokenizer> {
    return new Tokenizer(await (await tokenizing()).loadTokenizer(source, options));
  }

  /** Token ids of a text. Halves of surrogate pairs count as U+FFFD. */
  encode(text: string, options?: EncodeOptions): Int32Array {
    return this.tokens.encode(text, options);
  }

  /** Token ids of two texts as one input, with what the model wants around them. */
  encodePair(a: string, b: string, options?: EncodePairOptions): EncodedPair {
    return this.tokens.encodePair(a, b, options);
  }

  /** The exact text of tokens: nothing is cleaned up. Incomplete characters are U+FFFD. */
  decode(ids: readonly number[] | Int32Array, options?: DecodeOptions): string {
    return this.tokens.decode(ids, options);
  }

  /** Number of tokens of a text, without special ones. */
  countTokens(text: string): number {
    return this.tokens.encode(text, { addSpecial: false }).length;
  }

  /** The vocabulary's text of a token id; empty for an id outside of it. */
  token(id: number): string {
    return this.tokens.token(id);
  }

  /** The id of a token by the vocabulary's text; undefined where there is none. */
  id(token: string): number | undefined {
    return this.tokens.id(token);
  }

  /** Frees the tokenizer. All later calls fail with CLOSED. */
  close(): void {
    forgotten.unregister(this);
    this.tokens.close();
  }
}
