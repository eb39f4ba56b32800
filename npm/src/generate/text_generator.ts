/// <reference lib="esnext.disposable" preserve="true" />

import { checkIds } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { lazyModule } from '../base/lazy_module.js';
import type { StandardOutput, StandardSchema } from '../base/standard_schema.js';
import type { LoadedModelInfo, ModelInput, ModelSource } from '../base/types.js';
import type { AppliedChatTemplate, ChatMessage, ChatTemplateOptions } from '../chat/types.js';
import type { GeneratorHandle } from './calls.js';
import type { Chat, ChatOptions } from './chat/types.js';
import type { SessionCalls } from './session.js';
import type {
  AdapterLoadOptions,
  GenerateManyOptions,
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

type GeneratorModule = Awaited<ReturnType<typeof generating>>;

/** Loaded with the first model, so that pages that generate nothing do not download it. */
const generating = lazyModule(() => import('./client.js'), 'loadGenerator', 'AbortController');

const conversing = lazyModule(() => import('./conversations.js'), 'applyChatTemplate');

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
    private readonly module: GeneratorModule,
  ) {
    super();
    this.info = handle.info;
    this.contextLength = handle.description.contextLength;
    this.own = new module.SessionCalls(handle.backend, 0, this, handle.queue);
    handle.ownedBy(this);
  }

  /**
   * Loads a model from a file (.amb, .alt or GGUF) or from the files of a Hugging Face folder; in Node also from the
   * path of a folder.
   * @throws QuintetError FORMAT for a damaged file, IO if it cannot be read; UNSUPPORTED, INPUT, MEMORY, ABORTED
   */
  static async load(source: ModelInput, options?: GeneratorLoadOptions): Promise<TextGenerator> {
    const module = await generating();
    return new TextGenerator(await module.loadGenerator(source, options), module);
  }

  /**
   * Generates text after a prompt. Invalid arguments do not throw here: reading the result rejects with INPUT. The
   * common prefix of this prompt and the last one is not computed again. `T` is the type of `json()`; a Standard Schema
   * as `jsonSchema` determines it.
   */
  generate<S extends StandardSchema>(
    prompt: Prompt,
    options: GenerateOptions & { jsonSchema: S },
  ): Generation<StandardOutput<S>>;
  generate<T = unknown>(prompt: Prompt, options?: GenerateOptions): Generation<T>;
  generate<T>(prompt: Prompt, options?: GenerateOptions): Generation<T> {
    return this.own.generateAfter(prompt, options, true);
  }

  /**
   * Generates a text after each of several prompts. They advance together, in one pass over the weights for all, which
   * takes much less time than one after another; a common beginning of prompts is computed once. Each text is that of
   * `generate(prompt, options)` alone: with a `seed`, every prompt has that seed. Nothing waits for a generation that
   * nobody reads. An abort ends all.
   * @throws QuintetError INPUT if `prompts` is not an array; what is wrong with a prompt or an option rejects when its
   * generation is read
   */
  generateMany<T = unknown>(prompts: readonly Prompt[], options?: GenerateManyOptions): Generation<T>[] {
    return this.module.generateMany<T>(this.handle, this, prompts, options);
  }

  /**
   * Loads a low-rank adapter (LoRA) for this model: a GGUF file, or PEFT's adapter_config.json and
   * adapter_model.safetensors. Generations use it with the option `adapters`; the model stays as it is. An adapter with
   * the same name is replaced.
   * @throws QuintetError FORMAT for a damaged adapter or one that does not fit the model; UNSUPPORTED, INPUT, MEMORY,
   * IO, ABORTED. The adapters are then as before.
   */
  async loadAdapter(name: string, source: ModelInput, options?: AdapterLoadOptions): Promise<void> {
    return this.module.loadAdapter(this.handle, name, source, options);
  }

  /**
   * Drops an adapter. Sessions keep what they computed with it.
   * @throws QuintetError INPUT if there is none with this name
   */
  async unloadAdapter(name: string): Promise<void> {
    return this.handle.call('unloadAdapter', [name]);
  }

  /** Creates an empty session: a separate conversation or text that shares the model's weights. */
  createSession(): Session {
    return this.module.GeneratorSession.create(this.handle.backend, this);
  }

  /**
   * Starts a conversation that keeps its messages and what was computed for them, and calls tools. Invalid options do
   * not throw here: the first answer rejects with INPUT.
   */
  startChat<const Tools extends readonly unknown[]>(options?: ChatOptions<Tools>): Chat {
    return this.module.startChat(this.handle.backend, this, options as ChatOptions);
  }

  /**
   * Opens a conversation that `save` of a chat or `quintet chat` saved with the same model, without computing anything
   * again. The options are those of `startChat`.
   * @throws QuintetError FORMAT for a damaged file or one of another model; INPUT for one without a conversation;
   * MEMORY, IO
   */
  openChat<const Tools extends readonly unknown[]>(
    source: ModelSource,
    options?: Omit<ChatOptions<Tools>, 'system' | 'messages'>,
  ): Promise<Chat> {
    return this.module.startChat(this.handle.backend, this, options as ChatOptions).load(source);
  }

  /**
   * The perplexity of a text: exp of the mean of -ln p over all tokens after the first, each given those before it.
   * Lower is better. A text longer than the context is scored in parts.
   */
  async perplexity(text: string | readonly number[], options?: PerplexityOptions): Promise<PerplexityScore> {
    return this.handle.call('perplexity', ...(await this.module.scoring()).scoringRequest(text, options));
  }

  /**
   * Logits after the last of these tokens: [vocabulary size]. With `all`, after every token: row-major [ids, vocabulary
   * size].
   */
  async logits(ids: readonly number[], options?: LogitsOptions): Promise<Float32Array> {
    return this.handle.call('logits', ...(await this.module.scoring()).logitsRequest(ids, options));
  }

  /**
   * A conversation formatted with the model's chat template, and its token ids. Text in messages never becomes a
   * special token.
   * @throws QuintetError INPUT if the model has no chat template, or its template rejects the conversation
   */
  async applyChatTemplate(
    messages: readonly ChatMessage[],
    options?: ChatTemplateOptions,
  ): Promise<AppliedChatTemplate> {
    const { backend, queue } = this.handle;
    const conversation = this.module.conversationOf(messages, options);
    return queue.run(async () => (await conversing()).applyChatTemplate(backend, conversation));
  }

  /** Token ids of a text. */
  async tokenize(text: string, options?: TokenizeOptions): Promise<Int32Array> {
    return this.handle.call('tokenize', this.module.tokenizeArguments('tokenize', text, options));
  }

  /** Number of tokens of a text, as `tokenize` counts them. */
  async countTokens(text: string, options?: TokenizeOptions): Promise<number> {
    return this.handle.call('countTokens', this.module.tokenizeArguments('countTokens', text, options));
  }

  /** The text of token ids, without special tokens. */
  async detokenize(ids: readonly number[]): Promise<string> {
    return this.handle.call('detokenize', [checkIds(ids)]);
  }

  /** The vocabulary entries of token ids; an empty string for an id outside the vocabulary. */
  async tokenTexts(ids: readonly number[]): Promise<string[]> {
    return this.handle.call('tokenTexts', [checkIds(ids)]);
  }

  /** Frees the model and its sessions. Pending and later calls fail with CLOSED. */
  close(): void {
    this.handle.close();
  }
}
