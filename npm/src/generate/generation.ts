// A running generation from the reader's point of view. Tokens are pulled: only a few are generated ahead of the
// reader.

import { inputError } from '../base/errors.js';
import { lazyPart } from '../base/lazy_part.js';
import { ItemQueue } from '../worker/items.js';
import type { Generation, GenerationSummary, Token } from './types.js';

const exactJson = lazyPart(() => import('../base/exact_json.js'), 'parseExactly');

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

/** The unread tokens, and the text so far. */
export class TokenQueue extends ItemQueue<Token> {
  text = '';
  /** Called with each id as it is chosen. */
  onId: ((id: number) => void) | undefined;
  /** Takes out of the text what is no part of it. */
  filter: ((token: Token) => Token) | undefined;

  constructor() {
    super(tokensAhead);
  }

  override give(token: Token): void {
    if (token.id >= 0) this.onId?.(token.id);
    this.pass(this.filter ? this.filter(token) : token);
  }

  /** Text that was held back to the end. */
  finish(text: string): void {
    if (text && !this.isLeft) this.pass({ id: -1, text });
  }

  private pass(token: Token): void {
    this.text += token.text;
    super.give(token);
  }
}

/** Generates the tokens. An abort ends it normally. */
export type MakeTokens = (tokens: TokenQueue, signal: AbortSignal) => Promise<GenerationSummary>;

/** The generation itself. It has no reference to the reader's object, so that this can be garbage-collected. */
class Making {
  readonly tokens = new TokenQueue();
  readonly finished: Promise<GenerationSummary>;
  private readonly stopping = new AbortController();
  private isQueued = true;
  private endEarly!: () => void;

  /** `enqueue` runs a job when its turn comes, and calls `onWaiting` when another call waits behind it. */
  constructor(
    enqueue: (job: () => Promise<GenerationSummary>, onWaiting: () => void) => Promise<GenerationSummary>,
    make: MakeTokens,
    signal: AbortSignal | undefined,
  ) {
    this.finished = this.run(enqueue, make, signal);
    // Failures are reported to whoever reads the tokens or the text.
    this.finished.catch(() => {});
  }

  async leave(): Promise<void> {
    this.tokens.leave();
    if (this.isQueued) this.endEarly();
    await this.finished.catch(() => {});
  }

  private async run(
    enqueue: ConstructorParameters<typeof Making>[0],
    make: MakeTokens,
    signal: AbortSignal | undefined,
  ): Promise<GenerationSummary> {
    const { tokens, stopping } = this;
    // While the job is still queued, an abort ends it at once.
    const early = new Promise<GenerationSummary>((resolve) => (this.endEarly = () => resolve(nothing)));
    const abort = () => {
      stopping.abort();
      if (this.isQueued) this.endEarly();
    };
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const job = async () => {
      if (stopping.signal.aborted || tokens.isLeft) return nothing;
      this.isQueued = false;
      return make(tokens, stopping.signal);
    };
    try {
      return await Promise.race([early, enqueue(job, () => tokens.open())]);
    } finally {
      signal?.removeEventListener('abort', abort);
      tokens.end();
    }
  }
}

/** Stops generations whose reader was garbage-collected. */
const forgotten = new FinalizationRegistry<Making>((making) => void making.leave());

export class TokenStream<T = unknown> implements Generation<T> {
  private readonly making: Making;
  private isRead = false;

  /** `isExact`: integers that a number cannot hold are bigint in `json()`. */
  constructor(
    enqueue: ConstructorParameters<typeof Making>[0],
    make: MakeTokens,
    signal: AbortSignal | undefined,
    private readonly isExact = false,
  ) {
    this.making = new Making(enqueue, make, signal);
    forgotten.register(this, this.making, this);
  }

  get finished(): Promise<GenerationSummary> {
    // A caller who waits for the end need not hold on to this object.
    forgotten.unregister(this);
    this.making.tokens.open();
    return this.making.finished;
  }

  async text(): Promise<string> {
    await this.finished;
    return this.making.tokens.text;
  }

  async json(): Promise<T> {
    const text = await this.text();
    const parse = this.isExact ? (await exactJson()).parseExactly : JSON.parse;
    try {
      return parse(text) as T;
    } catch {
      const { reason } = await this.finished;
      throw inputError('malformed', `json: the text, which ended with the reason '${reason}', is no JSON`);
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<Token, undefined> {
    if (this.isRead) throw inputError('used', 'a generation can only be read once');
    this.isRead = true;
    let lastRead: Promise<unknown> = Promise.resolve();
    return {
      next: () => {
        const reading = lastRead.then(() => this.next());
        lastRead = reading.catch(() => {});
        return reading;
      },
      return: async () => {
        await this.making.leave();
        return { done: true, value: undefined };
      },
    };
  }

  toReadableStream(): ReadableStream<string> {
    const tokens = this[Symbol.asyncIterator]();
    return new ReadableStream<string>(
      {
        async pull(controller) {
          for (;;) {
            const { done, value } = await tokens.next();
            if (done) return controller.close();
            if (value.text) return controller.enqueue(value.text);
          }
        },
        cancel: () => this.making.leave(),
      },
      { highWaterMark: 0 },
    );
  }

  private async next(): Promise<IteratorResult<Token, undefined>> {
    const { tokens, finished } = this.making;
    const value = await tokens.next();
    if (value) return { done: false, value };
    if (!tokens.isLeft) await finished;
    return { done: true, value: undefined };
  }
}
