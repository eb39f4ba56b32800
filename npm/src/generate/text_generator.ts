/// <reference lib="esnext.disposable" preserve="true" />

import { checkIds, checkText } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { inputError } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import { checkOptions, signal, type Rule } from '../base/options.js';
import { boolean } from '../base/rules.js';
import type { LoadedModelInfo, ModelFolder, ModelSource } from '../base/types.js';
import type { GeneratorHandle } from './calls.js';
import type { SessionCalls } from './session.js';
import type {
  GenerateOptions,
  Generation,
  GeneratorLoadOptions,
  LogitsOptions,
  PerplexityOptions,
  PerplexityScore,
  Prompt,
  Session,
  TokenizeOptions,
} from './types.js';

type Part = Awaited<ReturnType<typeof generating>>;

/** What generates comes with the first model, for the sake of pages that never do. */
const generating = lazyPart(() => import('./loading.js'), 'loadGenerator');

const tokenizeRules: Record<keyof TokenizeOptions, Rule> = { addBos: boolean, parseSpecial: boolean };
const logitsRules: Record<keyof LogitsOptions, Rule> = { all: boolean, signal };

/** A language model that continues text. Calls queue and run one after another; a failed one leaves it usable. */
export class TextGenerator extends Disposable {
  /** What the file says, and how it runs. */
  readonly info: LoadedModelInfo;
  /** Most tokens that a session holds. */
  readonly contextLength: number;
  /** What it generates without a session of the caller's. */
  private readonly own: SessionCalls;

  private constructor(
    private readonly handle: GeneratorHandle,
    private readonly part: Part,
  ) {
    super();
    this.info = handle.info;
    this.contextLength = handle.description.contextLength;
    this.own = new part.SessionCalls(handle.backend, 0, this, handle.queue);
    handle.ownedBy(this);
  }

  /**
   * Loads a model from a file, or from the files of a Hugging Face folder; in Node also from the path of one.
   * @throws QuintetError FORMAT for a broken file, IO where the bytes cannot be had; UNSUPPORTED, INPUT, MEMORY,
   *   ABORTED
   */
  static async load(source: ModelSource | ModelFolder, options?: GeneratorLoadOptions): Promise<TextGenerator> {
    const part = await generating();
    return new TextGenerator(await part.loadGenerator(source, options), part);
  }

  /**
   * Generates text after a prompt. What is wrong with the arguments comes back from reading it. What the prompt has in
   * common with the last one at the begin is not computed again.
   */
  generate(prompt: Prompt, options?: GenerateOptions): Generation {
    return this.own.generateAfter(prompt, options, true);
  }

  /** A conversation or text of its own over the same weights. */
  createSession(): Session {
    const { backend } = this.handle;
    return new this.part.GeneratorSession(backend, this, ({ number }) => backend.call('createSession', [number]));
  }

  /**
   * How well the model foresees a text: exp of the mean of -ln p of each token after the first, given those before it.
   * A longer text than the context is scored in parts.
   */
  async perplexity(text: string | readonly number[], options: PerplexityOptions = {}): Promise<PerplexityScore> {
    const { input, watch } = this.part.scoringRequest(text, options);
    return this.handle.call('perplexity', [input], watch);
  }

  /** Logits after the last of these tokens. */
  async logits(ids: readonly number[], options: LogitsOptions = {}): Promise<Float32Array> {
    checkOptions(options, logitsRules, 'logits');
    const { signal, all = false } = options;
    const checked = checkIds(ids);
    if (checked.length === 0) throw inputError('missing', 'logits: there are no ids');
    return this.handle.call('logits', [checked, all], { signal });
  }

  /** Token ids of a text. */
  async tokenize(text: string, options: TokenizeOptions = {}): Promise<Int32Array> {
    checkOptions(options, tokenizeRules, 'tokenize');
    const { addBos = true, parseSpecial = false } = options;
    return this.handle.call('tokenize', [checkText(text), addBos, parseSpecial]);
  }

  /** Number of tokens that `tokenize` gives. */
  async countTokens(text: string, options: TokenizeOptions = {}): Promise<number> {
    checkOptions(options, tokenizeRules, 'countTokens');
    const { addBos = true, parseSpecial = false } = options;
    return this.handle.call('countTokens', [checkText(text), addBos, parseSpecial]);
  }

  /** The text of tokens, without the special ones. */
  async detokenize(ids: readonly number[]): Promise<string> {
    return this.handle.call('detokenize', [checkIds(ids)]);
  }

  /** The vocabulary's texts of token ids; empty for an id outside of it. */
  async tokens(ids: readonly number[]): Promise<string[]> {
    return this.handle.call('tokens', [checkIds(ids)]);
  }

  /** Frees the model and its sessions. Calls that still wait, and all later ones, fail with CLOSED. */
  close(): void {
    this.handle.close();
  }
}
