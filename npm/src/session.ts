// Sessions as their callers see them.

import type { Backend, CallWatch } from './backend.js';
import { isA } from './byte_source.js';
import { CallQueue } from './call_queue.js';
import { makeDisposable } from './disposable.js';
import { inputError } from './errors.js';
import { requestOf, scoringRequest } from './generate_options.js';
import { nothing, TokenStream, type TokenSink } from './generation.js';
import type {
  GenerationEvent,
  GenerationResult,
  GeneratorCalls,
  GeneratorDescription,
  LogitsQuestion,
} from './generator_backend.js';
import type {
  GenerateOptions,
  Generation,
  GenerationSummary,
  LoadCacheOptions,
  PerplexityOptions,
  Prompt,
  SaveCacheOptions,
  Session,
} from './generator_types.js';
import { loaded } from './part_loading.js';
import type { ModelSource } from './types.js';

const cacheFiles = () => loaded(() => import('./session_cache.js'), 'saveCache');

export type GeneratorBackend = Backend<GeneratorCalls, GeneratorDescription>;

/** A session's calls, in their order. */
export class SessionCalls {
  /** What it holds after the calls that are done. */
  protected held: Int32Array = new Int32Array();
  /** The generation after which nothing else was called. */
  protected latest: object | undefined;

  constructor(
    readonly backend: GeneratorBackend,
    readonly number: number,
    /** The generator, which lives as long as something of it is used. */
    protected readonly owner: object,
    protected readonly queue = new CallQueue(),
  ) {}

  /** `replace`: every prompt replaces what it holds. */
  generateAfter(prompt: Prompt, options: GenerateOptions = {}, replace: boolean): Generation {
    let job: (sink: TokenSink) => Promise<GenerationSummary>;
    let result: GenerationResult | undefined;
    let leaving: number | undefined;
    const self = {};
    // What the reader did not take is not in the session either.
    const keepTaken = async (taken: number) => {
      if (result && !replace) await this.keep(result.promptEnd + taken);
    };
    try {
      const request = requestOf(prompt, options, replace);
      job = async (sink) => {
        if (!sink.begin()) return nothing;
        result = await this.backend.call('generate', [this.number, request], watchOf(sink, options));
        this.held = result.held;
        if (leaving !== undefined) await keepTaken(leaving);
        const { promptEnd: _promptEnd, held: _held, ...summary } = result;
        return summary;
      };
    } catch (error) {
      const failed = { run: () => Promise.reject(error as Error), leave: async () => {} };
      return new TokenStream(failed, undefined);
    }
    const stream: TokenStream = new TokenStream(
      {
        run: (sink) => this.enqueue(() => job(sink), self),
        leave: async (taken) => {
          leaving = taken;
          if (!result) await stream.finished.catch(() => {});
          // Not where the session has gone on since.
          else if (this.latest === self) await keepTaken(taken);
        },
      },
      options.signal,
    );
    return stream;
  }

  protected enqueue<T>(job: () => Promise<T>, latest?: object, signal?: AbortSignal): Promise<T> {
    this.latest = latest;
    return this.queue.run(job, signal);
  }

  /** Forgets what lies behind the first `length` tokens. */
  protected async keep(length: number): Promise<void> {
    if (length >= this.held.length) return;
    this.held = this.held.slice(0, length);
    await this.backend.call('rewind', [this.number, length]);
  }
}

function watchOf(sink: TokenSink, { logitsProcessor, onPrefill }: GenerateOptions): CallWatch {
  const tokens: number[] = [];
  return {
    signal: sink.signal,
    onEvent(event: GenerationEvent) {
      if ('token' in event) {
        if (event.token.id >= 0) tokens.push(event.token.id);
        sink.push(event.token);
      } else {
        onPrefill?.(event.prefilled, event.total);
      }
    },
    async onQuestion({ logits, held = new Int32Array() }: LogitsQuestion) {
      for (const id of held) tokens.push(id);
      const { length } = logits;
      logitsProcessor?.(logits, tokens);
      if (logits.length === length) return logits;
      throw inputError('used', 'logitsProcessor: the logits are edited in place, their buffer must not be transferred');
    },
  };
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
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  private readonly ready: Promise<void>;

  /** `create` makes what the model's side calls by that number. */
  constructor(backend: GeneratorBackend, owner: object, create: (session: GeneratorSession) => Promise<void>) {
    super(backend, ++lastNumber, owner);
    this.ready = create(this);
    this.queue.run(() => this.ready).catch(() => {});
    forgotten.register(this, { backend, number: this.number }, this);
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

  generate(prompt: Prompt, options?: GenerateOptions): Generation {
    return this.generateAfter(prompt, options, false);
  }

  saveCache(options?: SaveCacheOptions): Promise<Uint8Array> {
    const { signal } = options ?? {};
    const job = async () => (await cacheFiles()).saveCache(this, options);
    // What is no signal is refused when the options are checked.
    return this.enqueue(job, undefined, isA(signal, 'AbortSignal') ? signal : undefined);
  }

  cacheStream(options?: SaveCacheOptions): ReadableStream<Uint8Array> {
    return streamOf(this.enqueue(async () => (await cacheFiles()).openCache(this, options)));
  }

  loadCache(source: ModelSource, options?: LoadCacheOptions): Promise<void> {
    // An abort is not answered before it is certain that nothing has changed.
    return this.enqueue(async () => {
      this.held = await (await cacheFiles()).loadCache(this, source, options);
    });
  }

  async perplexity(
    text: string | readonly number[],
    options: PerplexityOptions = {},
  ): Promise<{ perplexity: number; tokens: number }> {
    const { input, watch } = scoringRequest(text, options);
    const job = () => this.backend.call('perplexityAfter', [this.number, input], watch);
    return this.enqueue(job, undefined, watch.signal);
  }

  fork(): Session {
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
      throw inputError('out_of_range', `rewind: the length must be an integer from 0 to ${this.length}, not ${length}`);
    }
    // What goes wrong here does so again in the next call.
    this.soon(() => this.keep(length)).catch(() => {});
  }

  close(): void {
    forgotten.unregister(this);
    this.queue.close();
    free(this);
  }

  protected override enqueue<T>(job: () => Promise<T>, latest?: object, signal?: AbortSignal): Promise<T> {
    const whenReady = async () => {
      await this.ready;
      return job();
    };
    return super.enqueue(whenReady, latest, signal);
  }

  /** At once where nothing runs: what comes after sees it done. */
  private soon<T>(job: () => Promise<T>): Promise<T> {
    if (!this.queue.idle) return this.enqueue(job);
    this.latest = undefined;
    return job();
  }
}

/** Nothing is asked of the iterator before it is read. */
function streamOf(opening: Promise<AsyncIterator<Uint8Array, undefined>>): ReadableStream<Uint8Array> {
  // Whoever reads hears of a failure.
  opening.catch(() => {});
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await (await opening).next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => opening.then((pieces) => void pieces.return?.(), () => {}),
    },
    { highWaterMark: 0 },
  );
}

makeDisposable(GeneratorSession.prototype);
