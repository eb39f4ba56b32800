// A text in the making, as its reader sees it. It is pulled: few tokens are made ahead of who reads them.

import { inputError } from '../base/errors.js';
import { ItemQueue } from '../remote/items.js';
import type { Generation, GenerationSummary, Token } from './types.js';

/** Most tokens that are made before they are read: enough that neither waits for the messages of the other. */
const tokensAhead = 8;

/** The summary of what never began. */
const nothing: GenerationSummary = {
  reason: 'abort',
  promptTokens: 0,
  tokens: 0,
  prefillTokens: 0,
  prefillMs: 0,
  decodeMs: 0,
};

/** The tokens that were made and not yet read, and the text of all. */
export class TokenQueue extends ItemQueue<Token> {
  text = '';
  /** Gets the ids as they are chosen. */
  onId: ((id: number) => void) | undefined;

  constructor() {
    super(tokensAhead);
  }

  override give(token: Token): void {
    this.text += token.text;
    if (token.id >= 0) this.onId?.(token.id);
    super.give(token);
  }
}

/** Makes the tokens when its turn has come. An abort is an end, not a failure. */
export type MakeTokens = (tokens: TokenQueue, signal: AbortSignal) => Promise<GenerationSummary>;

/** The making of a text. It knows nothing of the reader's object, which may be forgotten. */
class Making {
  readonly tokens = new TokenQueue();
  readonly finished: Promise<GenerationSummary>;
  private readonly stopping = new AbortController();
  private isQueued = true;
  private endEarly!: () => void;

  /** `enqueue` runs a job when its turn has come, and calls back once others wait behind it. */
  constructor(
    enqueue: (job: () => Promise<GenerationSummary>, onWaiting: () => void) => Promise<GenerationSummary>,
    make: MakeTokens,
    signal: AbortSignal | undefined,
  ) {
    this.finished = this.run(enqueue, make, signal);
    // Whoever reads the tokens or the text hears of a failure there.
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
    // Before its turn has come it ends at once.
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

/** What nobody can read any more is not made to its end. */
const forgotten = new FinalizationRegistry<Making>((making) => void making.leave());

export class TokenStream implements Generation {
  private readonly making: Making;
  private isRead = false;

  constructor(...making: ConstructorParameters<typeof Making>) {
    this.making = new Making(...making);
    forgotten.register(this, this.making);
  }

  get finished(): Promise<GenerationSummary> {
    this.making.tokens.open();
    return this.making.finished;
  }

  async text(): Promise<string> {
    await this.finished;
    return this.making.tokens.text;
  }

  [Symbol.asyncIterator](): AsyncIterator<Token, undefined> {
    if (this.isRead) throw inputError('used', 'a generation can be read once');
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
