// Sessions on the caller's side.

import { type CallOptions, CallQueue } from '../base/call_queue.js';
import { Disposable } from '../base/disposable.js';
import { inputError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { ModelSource } from '../base/types.js';
import { isA } from '../base/values.js';
import type { CallOptions as ModelCallOptions } from '../worker/calls.js';
import type { GenerationEvent, GeneratorBackend, PromptInput } from './calls.js';
import type { Exchange } from './conversations.js';
import { structuredOutput, type TokenProducer, type TokenQueue, TokenStream } from './generation.js';
import { type GenerationPlan, planOf } from './options.js';
import { pulledStream } from './pulled_stream.js';
import type {
  GenerateOptions,
  Generation,
  GenerationSummary,
  LoadCacheOptions,
  PerplexityOptions,
  PerplexityScore,
  Prompt,
  SaveCacheOptions,
  Session,
} from './types.js';

const cacheFiles = lazyModule(() => import('./session_cache.js'), 'saveCache');
const conversing = lazyModule(() => import('./conversations.js'), 'exchangeOf');
const draftModels = lazyModule(() => import('./guessing/draft.js'), 'drafting');
const infilling = lazyModule(() => import('./prompts/fill_in_the_middle.js'), 'middleIds');
export const scoring = lazyModule(() => import('./scoring.js'), 'scoringRequest');
const processing = lazyModule(() => import('./logits_processing.js'), 'processingOf');

/** The calls of a session, run in order. */
export class SessionCalls extends Disposable {
  /** Its tokens after the completed calls. */
  protected held: Int32Array = new Int32Array();

  constructor(
    readonly backend: GeneratorBackend,
    readonly number: number,
    /** The generator, which is kept alive by its sessions. */
    protected readonly owner: object,
    protected readonly queue = new CallQueue(),
  ) {
    super();
  }

  /** `replace`: every prompt replaces the content of the session. */
  generateAfter<T>(prompt: Prompt, options: GenerateOptions = {}, replace: boolean): TokenStream<T> {
    const enqueue = <R>(job: () => Promise<R>, onWaiting: () => void) => this.enqueue(job, { onWaiting });
    return TokenStream.from(
      () => new TokenStream<T>(enqueue, this.producerOf(planOf(prompt, options, replace), options), options),
    );
  }

  /** Generates for a stream that exists already. */
  produce(
    plan: GenerationPlan,
    options: GenerateOptions,
    tokens: TokenQueue,
    signal: AbortSignal,
  ): Promise<GenerationSummary> {
    return this.enqueue(() => this.producerOf(plan, options)(tokens, signal));
  }

  close(): void {
    this.queue.close();
  }

  private producerOf(plan: GenerationPlan, options: GenerateOptions): TokenProducer {
    const { isConstrained, prompt: _asked, sampling, ...settings } = plan;
    return async (tokens, signal) => {
      const constraint = isConstrained ? (await structuredOutput()).constraintOf(options) : undefined;
      const { answer, grammar = constraint, reasoning, ...prompt } = await this.exchangeOf(plan);
      const request = {
        ...settings,
        prompt,
        sampling: JSON.stringify({ ...sampling, reasoning }),
        ...(grammar && { grammar }),
      };
      if (answer) tokens.partsOf = (token) => answer.read(token);
      const { logitsProcessor, onPrefill, draft } = options;
      const drafts = draft && !logitsProcessor ? await (await draftModels()).drafting(draft, this.backend) : undefined;
      const call: ModelCallOptions = {
        items: tokens,
        signal,
        ...(onPrefill && { onEvent: ({ prefilled, total }: GenerationEvent) => onPrefill(prefilled, total) }),
        ...(logitsProcessor && (await processing()).processingOf(tokens, logitsProcessor)),
        ...drafts?.call,
      };
      const running = this.backend.call('generate', [this.number, request], call);
      const { held, ...summary } = await running.finally(() => drafts?.end());
      this.held = held;
      if (!answer) return summary;
      tokens.finish(answer.rest());
      return { ...summary, ...answer.found() };
    };
  }

  /** The formatted prompt, and how its answer is read. */
  private async exchangeOf({ prompt, isConstrained }: GenerationPlan): Promise<PromptInput & Partial<Exchange>> {
    if ('messages' in prompt) return (await conversing()).exchangeOf(this.backend, prompt, isConstrained);
    if (!('suffix' in prompt)) return prompt;
    return { ids: await (await infilling()).middleIds(this.backend, prompt) };
  }

  protected enqueue<T>(job: () => Promise<T>, options?: CallOptions): Promise<T> {
    return this.queue.run(job, options);
  }
}

interface SessionPlace {
  backend: GeneratorBackend;
  number: number;
}

const forgotten = new FinalizationRegistry<SessionPlace>(free);

function free({ backend, number }: SessionPlace): void {
  backend.call('closeSession', [number]).catch(() => {});
}

let lastNumber = 0;

export class GeneratorSession extends SessionCalls implements Session {
  private readonly ready: Promise<void>;

  /** `create` creates the session of this number on the host's side. */
  private constructor(backend: GeneratorBackend, owner: object, create: (session: GeneratorSession) => Promise<void>) {
    super(backend, ++lastNumber, owner);
    this.queue.owner = this;
    this.ready = create(this);
    // Later calls report a failure. If the session is closed first, no later call handles the rejection.
    this.ready.catch(() => {});
    this.queue.run(() => this.ready).catch(() => {});
    forgotten.register(this, { backend, number: this.number }, this);
  }

  /** Creates an empty session. `owner`: the generator. */
  static create(backend: GeneratorBackend, owner: object): GeneratorSession {
    return new GeneratorSession(backend, owner, ({ number }) => backend.call('createSession', [number]));
  }

  get length(): number {
    return this.held.length;
  }

  get tokens(): Int32Array {
    return this.held.slice();
  }

  logits(): Promise<Float32Array> {
    return this.enqueue(() => this.backend.call('nextLogits', [this.number]));
  }

  generate<T = unknown>(prompt: Prompt, options?: GenerateOptions): Generation<T> {
    return this.generateAfter(prompt, options, false);
  }

  saveCache(options?: SaveCacheOptions): Promise<Uint8Array> {
    const { signal } = options ?? {};
    const job = async () => (await cacheFiles()).saveCache(this, options);
    // If it is not a signal, checking the options reports that.
    return this.enqueue(job, isA(signal, 'AbortSignal') ? { signal } : undefined);
  }

  cacheStream(options?: SaveCacheOptions): ReadableStream<Uint8Array> {
    return pulledStream(this.enqueue(async () => (await cacheFiles()).openCache(this, options)));
  }

  loadCache(source: ModelSource, options?: LoadCacheOptions): Promise<void> {
    // An abort rejects only after it is certain that nothing has changed.
    return this.enqueue(async () => {
      const { loadCache } = await cacheFiles();
      this.held = await loadCache(this, source, options);
    });
  }

  async perplexity(text: string | readonly number[], options?: PerplexityOptions): Promise<PerplexityScore> {
    const [input, watch] = (await scoring()).scoringRequest(text, options);
    return this.enqueue(() => this.backend.call('perplexityAfter', [this.number, ...input], watch), {
      signal: watch.signal,
    });
  }

  fork(): GeneratorSession {
    return new GeneratorSession(this.backend, this.owner, (child) =>
      this.soon(() => {
        child.held = this.held;
        return this.backend.call('forkSession', [child.number, this.number]);
      }),
    );
  }

  rewind(length: number): void {
    const most = this.queue.idle ? this.length : Infinity;
    if (!Number.isInteger(length) || length < 0 || length > most) {
      throw inputError('out_of_range', `rewind: length must be an integer from 0 to ${this.length}, not ${length}`);
    }
    // If this fails, the next call fails in the same way.
    this.soon(() => this.keep(length)).catch(() => {});
  }

  override close(): void {
    forgotten.unregister(this);
    super.close();
    free(this);
  }

  protected override enqueue<T>(job: () => Promise<T>, options?: CallOptions): Promise<T> {
    const whenReady = async () => {
      await this.ready;
      return job();
    };
    return super.enqueue(whenReady, options);
  }

  /** Drops all but the first `length` tokens. */
  private async keep(length: number): Promise<void> {
    if (length >= this.held.length) return;
    this.held = this.held.slice(0, length);
    await this.backend.call('rewind', [this.number, length]);
  }

  /** Starts at once if no call is pending, so that its effect is visible right away. */
  private soon<T>(job: () => Promise<T>): Promise<T> {
    return this.queue.idle ? job() : this.enqueue(job);
  }
}
