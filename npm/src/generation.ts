// A text in the making, as its reader sees it.

import { inputError } from './errors.js';
import type { Generation, GenerationSummary, Token } from './generator_types.js';

type Reading = IteratorResult<Token, undefined>;

const end: Reading = { done: true, value: undefined };
/** The summary of what never began. */
export const nothing: GenerationSummary = {
  reason: 'abort',
  promptTokens: 0,
  tokens: 0,
  prefillTokens: 0,
  prefillMs: 0,
  decodeMs: 0,
};

/** How what makes the tokens and their reader work together. */
export interface TokenSink {
  /** Its turn has come. False: it ended before. */
  begin(): boolean;
  push(token: Token): void;
  /** An abort is an end, not a failure. */
  readonly signal: AbortSignal;
}

export interface TokenSource {
  run(sink: TokenSink): Promise<GenerationSummary>;
  /** The reader wants no more than the so many tokens that it took. */
  leave(taken: number): Promise<void>;
}

export class TokenStream implements Generation {
  readonly finished: Promise<GenerationSummary>;
  private readonly waiting: Token[] = [];
  private readonly stopping = new AbortController();
  private whole = '';
  private taken = 0;
  private state: 'queued' | 'running' | 'ended' = 'queued';
  private isRead = false;
  private isLeft = false;
  private wake: (() => void) | undefined;
  private lastRead: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly source: TokenSource,
    signal: AbortSignal | undefined,
  ) {
    this.finished = this.run(signal);
    // Whoever reads the tokens or the text hears of a failure there.
    this.finished.catch(() => {});
  }

  async text(): Promise<string> {
    await this.finished;
    return this.whole;
  }

  [Symbol.asyncIterator](): AsyncIterator<Token, undefined> {
    if (this.isRead) throw inputError('used', 'a generation can be read once');
    this.isRead = true;
    return {
      next: () => {
        const reading = this.lastRead.then(() => this.next());
        this.lastRead = reading.catch(() => {});
        return reading;
      },
      return: async () => {
        await this.leave();
        return end;
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
        cancel: () => this.leave(),
      },
      { highWaterMark: 0 },
    );
  }

  private async run(signal: AbortSignal | undefined): Promise<GenerationSummary> {
    let abort!: () => void;
    // Before its turn has come it ends at once.
    const early = new Promise<GenerationSummary>((resolve) => {
      this.stopping.signal.addEventListener('abort', () => this.state === 'queued' && resolve(nothing));
      abort = () => this.stopping.abort();
    });
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    try {
      return await Promise.race([early, this.source.run(this.sink())]);
    } finally {
      signal?.removeEventListener('abort', abort);
      this.state = 'ended';
      this.wake?.();
    }
  }

  private sink(): TokenSink {
    return {
      begin: () => {
        if (this.stopping.signal.aborted) return false;
        this.state = 'running';
        return true;
      },
      push: (token) => {
        this.whole += token.text;
        this.waiting.push(token);
        this.wake?.();
      },
      signal: this.stopping.signal,
    };
  }

  private async next(): Promise<Reading> {
    while (this.waiting.length === 0 && this.state !== 'ended' && !this.isLeft) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.isLeft) return end;
    const value = this.waiting.shift();
    if (value) {
      if (value.id >= 0) ++this.taken;
      return { done: false, value };
    }
    await this.finished;
    return end;
  }

  private async leave(): Promise<void> {
    if (this.isLeft) return;
    this.isLeft = true;
    this.stopping.abort();
    this.wake?.();
    await this.source.leave(this.taken);
  }
}
