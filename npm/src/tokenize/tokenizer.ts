/// <reference lib="esnext.disposable" preserve="true" />

import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelInput } from '../base/types.js';
import type { AppliedChatTemplate, ChatMessage, ChatTemplateOptions } from '../chat/types.js';
import type { NativeTokens } from './native_tokens.js';
import type { DecodeOptions, EncodedPair, EncodeOptions, EncodePairOptions, TokenizerLoadOptions } from './options.js';

/** Loaded with the first tokenizer, so that pages without one do not download it. */
const tokenizing = lazyModule(() => import('./client.js'), 'loadTokenizer');

const forgotten = new FinalizationRegistry<NativeTokens>((tokens) => tokens.close());

/** A model's tokenizer and chat template, without the model. All methods except `load` are synchronous. */
export class Tokenizer extends Disposable {
  /** The kind of tokenizer, for example 'WordPiece' or 'BPE'. */
  readonly type: string;
  /** Number of tokens in the vocabulary. */
  readonly size: number;
  /** Ids of the special tokens; null for those that the model does not have. */
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
   * Loads a tokenizer from a model file, a tokenizer.json, tokenizer.model or vocab.txt, or a Hugging Face folder with
   * or without weights; in Node also from the path of a folder. If a model file can be read in any order, only its
   * beginning is read.
   * @throws QuintetError FORMAT for a damaged file, UNSUPPORTED for one without a tokenizer; IO, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: TokenizerLoadOptions): Promise<Tokenizer> {
    return new Tokenizer(await (await tokenizing()).loadTokenizer(source, options));
  }

  /** Token ids of a text. Lone surrogates are treated as U+FFFD. */
  encode(text: string, options?: EncodeOptions): Int32Array {
    return this.tokens.encode(text, options);
  }

  /** Token ids of two texts as one input, with the special tokens that the model expects around them. */
  encodePair(a: string, b: string, options?: EncodePairOptions): EncodedPair {
    return this.tokens.encodePair(a, b, options);
  }

  /**
   * A conversation formatted with the model's chat template, and its token ids. Text in messages never becomes a
   * special token.
   * @throws QuintetError INPUT if the model has no chat template, or its template rejects the conversation
   */
  applyChatTemplate(messages: readonly ChatMessage[], options?: ChatTemplateOptions): AppliedChatTemplate {
    return this.tokens.applyChatTemplate(messages, options);
  }

  /** The exact text of token ids, without any cleanup of spaces. Incomplete characters become U+FFFD. */
  decode(ids: readonly number[] | Int32Array, options?: DecodeOptions): string {
    return this.tokens.decode(ids, options);
  }

  /**
   * Number of tokens of a text, as `encode` gives them: with the special tokens that the model expects, which
   * `addSpecial: false` leaves out.
   */
  countTokens(text: string, options?: EncodeOptions): number {
    return this.tokens.encode(text, options, 'countTokens').length;
  }

  /** The vocabulary entry of a token id; an empty string for an id outside the vocabulary. */
  token(id: number): string {
    return this.tokens.token(id);
  }

  /** The id of a vocabulary entry; undefined if there is none. */
  id(token: string): number | undefined {
    return this.tokens.id(token);
  }

  /** Frees the tokenizer. Later calls throw CLOSED. */
  close(): void {
    forgotten.unregister(this);
    this.tokens.close();
  }
}
