/// <reference lib="esnext.disposable" preserve="true" />

import { checkIds } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { lazyPart } from '../base/lazy_part.js';
import type { AppliedChatTemplate, ChatMessage, ChatTemplateOptions } from '../chat/types.js';
import type { LoadedModelInfo, ModelInput } from '../base/types.js';
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

/** Loaded with the first model, so that pages that generate nothing do not download it. */
const generating = lazyPart(() => import('./client.js'), 'loadGenerator', 'AbortController');

const conversing = lazyPart(() => import('./conversations.js'), 'applyChatTemplate');

/**
 * A language model that generates text. Calls are queued and run one at a time, in order. A failed call leaves the
 * generator usable.
 */
export class TextGenerator extends Disposable {
  /** The model's description and how it runs. */
  readonly info: LoadedModelInfo;
  /** Maximum number of tokens of a session, prompt and output together. */
  readonly contextLength: number;
  /** The generator's own session. */
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
   * Loads a model from a file (.amb, .alt or GGUF) or from the files of a Hugging Face folder; in Node also from the
   * path of a folder.
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: GeneratorLoadOptions): Promise<TextGenerator> {
    const part = await generating();
    return new TextGenerator(await part.loadGenerator(source, options), part);
  }

  /**
   * Generates text after a prompt. Invalid arguments do not throw here: reading the result rejects with INPUT. The
   * common prefix of this prompt and the last one is not computed again. `T` is the type of `json()`, for `jsonSchema`.
   */
  generate<T = unknown>(prompt: Prompt, options?: GenerateOptions): Generation<T> {
    return this.own.generateAfter(prompt, options, true);
  }

  /** Creates an empty session: a conversation or text of its own that shares the model's weights. */
  createSession(): Session {
    return this.part.newSession(this.handle.backend, this);
  }

  /**
   * How well the model predicts a text: exp of the mean of -ln p over all tokens after the first, each given those
   * before it. Lower is better. A text longer than the context is scored in parts.
   */
  async perplexity(text: string | readonly number[], options?: PerplexityOptions): Promise<PerplexityScore> {
    return this.handle.call('perplexity', ...this.part.scoringRequest(text, options));
  }

  /**
   * Logits after the last of these tokens: [vocabulary size]. With `all`, after every token: row-major [ids, vocabulary
   * size].
   */
  async logits(ids: readonly number[], options?: LogitsOptions): Promise<Float32Array> {
    return this.handle.call('logits', ...this.part.logitsRequest(ids, options));
  }

  /**
   * A conversation as the model's chat template writes it, and its token ids. What messages say never becomes a special
   * token.
   * @throws QuintetError INPUT if the model has no chat template, or its template refuses the conversation
   */
  async applyChatTemplate(messages: readonly ChatMessage[], options?: ChatTemplateOptions): Promise<AppliedChatTemplate> {
    const { backend, queue } = this.handle;
    const conversation = this.part.conversationOf(messages, options);
    return queue.run(async () => (await conversing()).applyChatTemplate(backend, conversation));
  }

  /** Token ids of a text. */
  async tokenize(text: string, options?: TokenizeOptions): Promise<Int32Array> {
    return this.handle.call('tokenize', this.part.tokenizeArguments('tokenize', text, options));
  }

  /** Number of tokens of a text, as `tokenize` counts them. */
  async countTokens(text: string, options?: TokenizeOptions): Promise<number> {
    return this.handle.call('countTokens', this.part.tokenizeArguments('countTokens', text, options));
  }

  /** The text of token ids, without special tokens. */
  async detokenize(ids: readonly number[]): Promise<string> {
    return this.handle.call('detokenize', [checkIds(ids)]);
  }

  /** The vocabulary entries of token ids; an empty string for an id outside the vocabulary. */
  async tokens(ids: readonly number[]): Promise<string[]> {
    return this.handle.call('tokens', [checkIds(ids)]);
  }

  /** Frees the model and its sessions. Pending and later calls fail with CLOSED. */
  close(): void {
    this.handle.close();
  }
}
