// Generates text with a session, in the thread of its engine: no faster than it is read.

import { abortable } from '../../base/abort.js';
import { lazyModule } from '../../base/lazy_module.js';
import { unwrap } from '../../engine/native.js';
import type { TokenMatcher } from '../../grammar/token_grammars.js';
import type { CallContext } from '../../worker/calls.js';
import type { ItemSink } from '../../worker/items.js';
import type { DraftQuestion, FinalQuestion, GenerationRequest, GenerationResult, LogitsQuestion } from '../calls.js';
import type { Guesser } from '../guessing/guesser.js';
import type { NativeToken } from '../native.js';
import type { SessionHost } from './host.js';

/** Loaded with the first generation that may gain from guesses. */
const guessing = lazyModule(() => import('../guessing/guesser.js'), 'Guesser');

/** Shorter texts have hardly anything to quote. */
const minLookupTokens = 64;

export interface ConstrainedRequest extends GenerationRequest {
  /**
   * Whether the caller sees the content of the session: the tokens that a reader has read, and nothing of a call that
   * failed.
   */
  isVisible: boolean;
  tokenize(text: string): Int32Array;
  /** Begins the text of a grammar; the argument is whether nothing precedes it. */
  begin?: ((begins: boolean) => TokenMatcher) | undefined;
}

type Decoded = Pick<GenerationResult, 'reason' | 'tokens' | 'guessed' | 'decodeMs'>;

export const generate = (
  session: SessionHost,
  ids: Int32Array,
  request: ConstrainedRequest,
  watch: CallContext,
): Promise<GenerationResult> => session.run(() => new Generating(session, request, watch).run(ids));

class Generating {
  private readonly items: ItemSink<unknown>;

  constructor(
    private readonly session: SessionHost,
    private readonly request: ConstrainedRequest,
    private readonly watch: CallContext,
  ) {
    this.items = watch.items!;
  }

  async run(ids: Int32Array): Promise<GenerationResult> {
    const { session, request, watch, items } = this;
    const { native } = session;
    const start = performance.now();
    if (request.isVisible) session.call(() => unwrap(native.mark()));
    const total = session.begin(ids, request.replace);
    let prefillTokens = 0;
    const prefilled = (left: number) => {
      prefillTokens = total - left;
      watch.onEvent?.({ prefilled: prefillTokens, total });
    };
    prefilled(total);
    const computed = session.compute(total, this.isOver, prefilled);
    this.share(ids, computed);
    const complete = await computed;
    if (!complete) session.call(() => native.cancel());
    const promptEnd = session.length;
    const prefillMs = performance.now() - start;
    const decoded = complete ? await this.decodeConstrained() : { reason: 'abort' as const, tokens: 0, decodeMs: 0 };
    if (!this.isOver()) await this.untilRead(items.read());
    await watch.onQuestion?.('heard' satisfies FinalQuestion);
    session.call(() => native.settle());
    // Tokens that the reader did not read are removed from the session.
    if (items.isCancelled && request.isVisible && complete)
      session.rewind(promptEnd + Math.min(items.taken, decoded.tokens));
    return { promptTokens: ids.length, prefillTokens, prefillMs, ...decoded, held: session.held() };
  }

  private readonly isOver = (): boolean => this.watch.signal?.aborted === true || this.items.isCancelled;

  private share(ids: Int32Array, computed: Promise<unknown>): void {
    const { session } = this;
    if (!session.isShared) return;
    const end = () => {
      session.sharedPrompt = undefined;
    };
    session.sharedPrompt = { ids, ended: computed.then(end, end) };
  }

  private async decodeConstrained(): Promise<Decoded> {
    const { session, request } = this;
    const matcher = request.begin?.(session.call(() => session.native.begins()));
    try {
      return await this.decode(matcher, await this.guesserOf(matcher));
    } finally {
      matcher?.close();
    }
  }

  private async decode(matcher: TokenMatcher | undefined, guesser: Guesser | undefined): Promise<Decoded> {
    const { session, items, isOver } = this;
    const { sampling, processed } = this.request;
    let start = performance.now();
    let guessed = 0;
    const decoded = (reason: Decoded['reason'], tokens: number): Decoded => ({
      reason,
      tokens,
      ...(guessed && { guessed }),
      decodeMs: performance.now() - start,
    });
    session.call(() => unwrap(session.native.startGeneration(sampling)));
    for (let tokens = 0, first = true; ; first = false) {
      if (!items.hasRoom) {
        const waiting = performance.now();
        await this.untilRead(items.room());
        start += performance.now() - waiting;
      }
      if (processed && !isOver()) await this.process(first);
      if (isOver()) return decoded('abort', tokens);
      const { reason, wasGuessed, ...token } = this.choose(matcher);
      if (token.id >= 0) ++tokens;
      if (wasGuessed) ++guessed;
      if (token.id >= 0 || token.text) items.give(token);
      if (reason) return decoded(reason, tokens);
      guesser?.chosen(token.id);
      const endPass = wasGuessed ? undefined : await guesser?.beginPass();
      // Cannot be aborted: a token that was given to the reader must be in the session.
      await session.compute(1, () => false);
      endPass?.();
    }
  }

  private choose(matcher: TokenMatcher | undefined): NativeToken {
    const { session } = this;
    const { native } = session;
    if (matcher?.mustEnd) return session.call(() => unwrap(native.finish()));
    matcher?.copyMask(() => session.call(() => native.maskWindow()));
    const token = session.call(() => unwrap(native.choose()));
    if (token.id >= 0) matcher?.accept(token.id);
    return token;
  }

  /** Undefined if nothing is to be guessed, or too little is known to guess from. */
  private async guesserOf(matcher: TokenMatcher | undefined): Promise<Guesser | undefined> {
    const { session } = this;
    const { processed, lookup, drafts, tokenize } = this.request;
    const mayLookUp = lookup === true || (lookup && (matcher || session.length >= minLookupTokens));
    if (processed || !(mayLookUp || drafts)) return undefined;
    const { Guesser, GuessingRecord } = await guessing();
    session.throwIfClosed();
    session.record ??= new GuessingRecord();
    const guessed = {
      held: () => session.held(),
      guess: (ids: Int32Array) => session.call(() => unwrap(session.native.guess(ids))),
      tokenize,
      isAlone: () => session.isAlone,
      drafts: drafts
        ? (ids: Int32Array, count: number) =>
            this.watch.onQuestion!({ ids, count } satisfies DraftQuestion) as Promise<Int32Array>
        : undefined,
    };
    return new Guesser(guessed, mayLookUp ? lookup : false, session.record, matcher);
  }

  private async process(first: boolean): Promise<void> {
    const { session } = this;
    const question: LogitsQuestion = { logits: session.currentLogits(), ...(first ? { held: session.held() } : {}) };
    const edited = (await this.watch.onQuestion!(question)) as Float32Array | undefined;
    session.throwIfClosed();
    if (edited) session.call(() => unwrap(session.native.setLogits(edited)));
  }

  /** Waits for the reader, an abort or closing. */
  private async untilRead(reading: Promise<void>): Promise<void> {
    const { session, watch } = this;
    await abortable(abortable(reading, session.closing.signal), watch.signal).catch(() => {});
    session.throwIfClosed();
  }
}
