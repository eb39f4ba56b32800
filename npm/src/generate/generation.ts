// A running generation from the reader's point of view. Tokens are pulled: only a few are generated ahead of the
// reader.

import { inputError } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import type { AnswerPart } from '../chat/types.js';
import { ItemQueue } from '../worker/items.js';
import { pulledStream } from './pulled_stream.js';
import type { GenerateOptions, Generation, GenerationSummary, Token } from './types.js';

export const structuredOutput = lazyModule(() => import('./structured_output.js'), 'jsonResult');

/** Maximum number of unread tokens: enough that neither side waits for messages of the other. */
const tokensAhead = 8;

/** The summary of a generation that never started. */
const nothing: GenerationSummary = {
  reason: 'abort',
  promptTokens: 0,
  tokens: 0,
  prefillTokens: 0,
  prefillMs: 0,
  decodeMs: 0,
};

/** A token, and the parts of the answer in it. Without parts, all of its text is text of the answer. */
export interface Step extends Token {
  parts?: readonly AnswerPart[];
}

const textIn = (parts: readonly AnswerPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The unread tokens, and the text so far. */
export class TokenQueue extends ItemQueue<Step> {
  text = '';
  /** Called with each id as it is chosen. */
  onId: ((id: number) => void) | undefined;
  /** Finds the parts of the answer in its tokens. */
  partsOf: ((token: Token) => readonly AnswerPart[]) | undefined;

  constructor() {
    super(tokensAhead);
  }

  override give(token: Token): void {
    if (token.id >= 0) this.onId?.(token.id);
    const parts = this.partsOf?.(token);
    this.pass(parts ? { ...token, text: textIn(parts), parts } : token);
  }

  /** Returns the text that was held back until the end. */
  finish(parts: readonly AnswerPart[]): void {
    if (parts.length > 0 && !this.isCancelled) this.pass({ id: -1, text: textIn(parts), parts });
  }

  pass(step: Step): void {
    this.text += step.text;
    super.give(step);
  }
}

/** Generates the tokens. An abort ends it normally. */
export type TokenProducer = (tokens: TokenQueue, signal: AbortSignal) => Promise<GenerationSummary>;

/** Runs a job when its turn comes, and calls `onWaiting` when another call starts to wait for it. */
export type Enqueue = <T>(job: () => Promise<T>, onWaiting: () => void) => Promise<T>;

/** The generation itself. It has no reference to the reader's object, so that this can be garbage-collected. */
class RunningGeneration {
  readonly tokens = new TokenQueue();
  readonly finished: Promise<GenerationSummary>;
  private readonly stopping = new AbortController();
  private isQueued = true;
  private endEarly!: () => void;

  constructor(enqueue: Enqueue, produce: TokenProducer, signal: AbortSignal | undefined) {
    this.finished = this.run(enqueue, produce, signal);
    // Failures are reported to whoever reads the tokens or the text.
    this.finished.catch(() => {});
  }

  async leave(): Promise<void> {
    this.tokens.leave();
    if (this.isQueued) this.endEarly();
    await this.finished.catch(() => {});
  }

  private async run(
    enqueue: Enqueue,
    produce: TokenProducer,
    signal: AbortSignal | undefined,
  ): Promise<GenerationSummary> {
    const { tokens, stopping } = this;
    // While the job is still queued, an abort ends it at once.
    const early = new Promise<GenerationSummary>((resolve) => (this.endEarly = () => resolve(nothing)));
    const abort = () => {
      stopping.abort(signal?.reason);
      if (this.isQueued) this.endEarly();
    };
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const job = async () => {
      if (stopping.signal.aborted || tokens.isCancelled) return nothing;
      this.isQueued = false;
      return produce(tokens, stopping.signal);
    };
    try {
      return await Promise.race([early, enqueue(job, () => tokens.open())]);
    } finally {
      signal?.removeEventListener('abort', abort);
      tokens.end();
    }
  }
}

/** Reads the steps of a generation, one after another. */
export interface StepReader {
  next(): Promise<IteratorResult<Step, undefined>>;
  return(): Promise<IteratorReturnResult<undefined>>;
}

/** Stops generations whose reader was garbage-collected. */
const forgotten = new FinalizationRegistry<RunningGeneration>((running) => void running.leave());

export class TokenStream<T = unknown> implements Generation<T> {
  private readonly running: RunningGeneration;
  private isRead = false;

  constructor(
    enqueue: Enqueue,
    produce: TokenProducer,
    private readonly options: Pick<GenerateOptions, 'signal' | 'jsonSchema' | 'largeIntegers'>,
  ) {
    this.running = new RunningGeneration(enqueue, produce, options.signal);
    forgotten.register(this, this.running, this);
  }

  /** Starts a generation. If that throws, returns one that fails: invalid arguments are reported to the reader. */
  static from<T>(start: () => TokenStream<T>): TokenStream<T> {
    try {
      return start();
    } catch (error) {
      return new TokenStream<T>(
        (job) => job(),
        () => Promise.reject(error as Error),
        {},
      );
    }
  }

  get finished(): Promise<GenerationSummary> {
    // A caller who waits for the end need not hold on to this object.
    forgotten.unregister(this);
    this.running.tokens.open();
    return this.running.finished;
  }

  async text(): Promise<string> {
    await this.finished;
    return this.running.tokens.text;
  }

  async json(): Promise<T> {
    const { jsonResult } = await structuredOutput();
    const text = await this.text();
    return (await jsonResult(text, await this.finished, this.options)) as T;
  }

  [Symbol.asyncIterator](): AsyncIterator<Token, undefined> {
    const steps = this.steps(({ id, text }) => id >= 0 || text !== '');
    return mapped(steps, ({ parts: _parts, ...token }): Token => token);
  }

  parts(): AsyncIterable<AnswerPart> {
    return partsOf(this.steps());
  }

  toReadableStream(): ReadableStream<string> {
    const steps = this.steps(({ text }) => text !== '');
    return pulledStream(Promise.resolve(mapped(steps, ({ text }) => text)));
  }

  /** Reads the tokens with their parts; `isWanted`: which of them. */
  steps(isWanted: (step: Step) => boolean = () => true): StepReader {
    if (this.isRead) throw inputError('used', 'a generation can only be read once');
    this.isRead = true;
    let lastRead: Promise<unknown> = Promise.resolve();
    return {
      next: () => {
        const reading = lastRead.then(() => this.next(isWanted));
        lastRead = reading.catch(() => {});
        return reading;
      },
      return: async () => {
        await this.running.leave();
        return { done: true, value: undefined };
      },
    };
  }

  private async next(isWanted: (step: Step) => boolean): Promise<IteratorResult<Step, undefined>> {
    const { tokens, finished } = this.running;
    for (let value: Step | undefined; (value = await tokens.next()); )
      if (isWanted(value)) return { done: false, value };
    if (!tokens.isCancelled) await finished;
    return { done: true, value: undefined };
  }
}

const mapped = <T>(steps: StepReader, mapStep: (step: Step) => T): AsyncIterator<T, undefined> => ({
  async next() {
    const { done, value } = await steps.next();
    return done ? { done, value } : { done: false, value: mapStep(value) };
  },
  return: steps.return,
});

async function* partsOf(steps: StepReader): AsyncGenerator<AnswerPart, undefined> {
  try {
    for (;;) {
      const { done, value } = await steps.next();
      if (done) return;
      if (value.parts) yield* value.parts;
      else if (value.text) yield { type: 'text', text: value.text };
    }
  } finally {
    await steps.return();
  }
}
