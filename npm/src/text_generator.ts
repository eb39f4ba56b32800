/// <reference lib="esnext.disposable" preserve="true" />

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
import { generation } from './lazy_parts.js';
import type { ModelFolder, LoadedModelInfo, ModelSource } from './types.js';

/**
 * A language model that continues text. Calls queue and run one after another; a failed one leaves it usable. What
 * generates is loaded with the first model (generator.ts), for the sake of pages that never do.
 */
export abstract class TextGenerator {
  /** What the file says, and how it runs. */
  abstract readonly info: LoadedModelInfo;
  /** Most tokens that a session holds. */
  abstract readonly contextLength: number;
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  /**
   * Loads a model from a file, or from the files of a Hugging Face folder; in Node also from the path of one.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource | ModelFolder, options?: GeneratorLoadOptions): Promise<TextGenerator> {
    return (await generation()).loadTextGenerator(TextGenerator, source, options);
  }

  /**
   * Generates text after a prompt. What is wrong with the arguments comes back from reading it. What the prompt has in
   * common with the last one at the begin is not computed again.
   */
  abstract generate(prompt: Prompt, options?: GenerateOptions): Generation;

  /** A conversation or text of its own over the same weights. */
  abstract createSession(): Session;

  /**
   * How well the model foresees a text: exp of the mean of -ln p of each token after the first, given those before it.
   * A longer text than the context is scored in parts.
   */
  abstract perplexity(
    text: string | readonly number[],
    options?: PerplexityOptions,
  ): Promise<{ perplexity: number; tokens: number }>;

  /** Logits after the last of these tokens. */
  abstract logits(ids: readonly number[], options?: LogitsOptions): Promise<Float32Array>;

  abstract tokenize(text: string, options?: TokenizeOptions): Promise<Int32Array>;

  /** The text of tokens, without the special ones. */
  abstract detokenize(ids: readonly number[]): Promise<string>;

  /** The vocabulary's texts of token ids; empty for an id outside of it. */
  abstract tokens(ids: readonly number[]): Promise<string[]>;

  /** Frees the model and its sessions. Calls that still wait, and all later ones, fail with CLOSED. */
  abstract close(): void;
}
