// A session in the thread of its engine. Computations yield to the event loop every few milliseconds.

import { abortable, throwIfAborted } from '../base/abort.js';
import { closedError } from '../base/errors.js';
import { yieldIfDue } from '../base/event_loop.js';
import { lazyModule } from '../base/lazy_module.js';
import { open, totalOf } from '../engine/load/feed.js';
import { type NativeCacheWriter, unwrap } from '../engine/native.js';
import { NativeOwner } from '../engine/native_object.js';
import type { TokenMatcher } from '../grammar/token_grammars.js';
import type { CallContext } from '../worker/calls.js';
import type { ItemSink } from '../worker/items.js';
import type { FinalQuestion, GenerationRequest, GenerationResult, LogitsQuestion } from './calls.js';
import type { OpenWriters } from './kv_cache_files.js';
import type { NativeSession, NativeToken } from './native.js';

/** Loaded with the first cache that is saved or loaded. */
const cacheFiles = lazyModule(() => import('./kv_cache_files.js'), 'wholeFile');

type Decoded = Pick<GenerationResult, 'reason' | 'tokens' | 'decodeMs'>;

export interface Score {
  sum: number;
  count: number;
}

export interface ConstrainedRequest extends GenerationRequest {
  /** Whether the caller sees what the session holds: what a reader has read, and nothing of a call that failed. */
  isVisible: boolean;
  /** Begins the text of a grammar; the argument is whether nothing precedes it. */
  begin?: ((begins: boolean) => TokenMatcher) | undefined;
}

export class SessionHost extends NativeOwner<NativeSession> {
  private writers: OpenWriters | undefined;
  private readonly closing = new AbortController();

  get isEmpty(): boolean {
    return this.length === 0;
  }

  fork(): SessionHost {
    return new SessionHost(
      this.engine,
      this.call(() => unwrap(this.native.fork())),
    );
  }

  rewind(length: number): void {
    this.call(() => unwrap(this.native.rewind(length)));
  }

  nextLogits(watch: CallContext): Promise<Float32Array> {
    return this.run(async () => {
      await this.complete(this.begin(new Int32Array(), false), watch);
      return this.currentLogits();
    });
  }

  /** Logits after the last of the ids, which become the content of the session. */
  logitsOf(ids: Int32Array, watch: CallContext): Promise<Float32Array> {
    return this.run(async () => {
      await this.complete(this.begin(ids, true), watch);
      return this.currentLogits();
    });
  }

  /** Logits after each of the ids. */
  allLogitsOf(ids: Int32Array, watch: CallContext): Promise<Float32Array[]> {
    return this.run(async () => {
      const rows: Float32Array[] = [];
      const left = this.call(() => unwrap(this.native.beginScoring(ids, false)));
      await this.complete(left, watch, () => rows.push(this.call(() => this.native.takeLogits().slice())));
      return rows;
    });
  }

  /**
   * Sum of -ln p over all ids but the first, and their number. `afterHeld`: given the content of the session, of which
   * no token may be pending. `onStep` is called with the number of tokens done.
   */
  score(ids: Int32Array, afterHeld: boolean, watch: CallContext, onStep: (done: number) => void): Promise<Score> {
    return this.run(async () => {
      const total = this.call(() => unwrap(this.native.beginScoring(ids, afterHeld)));
      await this.complete(total, watch, (left) => onStep(total - left));
      return this.call(() => unwrap(this.native.scores()));
    });
  }

  generate(ids: Int32Array, request: ConstrainedRequest, watch: CallContext): Promise<GenerationResult> {
    return this.run(async () => {
      const start = performance.now();
      const items = watch.items!;
      const isOver = () => watch.signal?.aborted === true || items.isCancelled;
      if (request.isVisible) this.call(() => unwrap(this.native.mark()));
      const total = this.begin(ids, request.replace);
      let prefillTokens = 0;
      const prefilled = (left: number) => {
        prefillTokens = total - left;
        watch.onEvent?.({ prefilled: prefillTokens, total });
      };
      prefilled(total);
      const complete = await this.compute(total, isOver, prefilled);
      if (!complete) this.call(() => this.native.cancel());
      const promptEnd = this.length;
      const prefillMs = performance.now() - start;
      const decoded = complete
        ? await this.decodeConstrained(request, watch, items, isOver)
        : { reason: 'abort' as const, tokens: 0, decodeMs: 0 };
      if (!isOver()) await this.untilRead(items.read(), watch.signal);
      await watch.onQuestion?.('heard' satisfies FinalQuestion);
      this.call(() => this.native.settle());
      // Tokens that the reader did not take are removed from the session.
      if (items.isCancelled && request.isVisible && complete)
        this.rewind(promptEnd + Math.min(items.taken, decoded.tokens));
      return { promptTokens: ids.length, prefillTokens, prefillMs, ...decoded, held: this.held() };
    });
  }

  async saveCache(options: string, watch: CallContext): Promise<Uint8Array> {
    const { wholeFile } = await cacheFiles();
    await this.computeWaiting(watch);
    return this.run(() => wholeFile(this.engine, this.cacheWriter(options), () => this.check(watch)));
  }

  /** The writer keeps the content of this moment, even if the session changes. */
  async openCache(writer: number, options: string, watch: CallContext): Promise<void> {
    const { OpenWriters } = await cacheFiles();
    await this.computeWaiting(watch);
    this.throwIfClosed();
    this.writers ??= new OpenWriters(this.engine);
    this.writers.open(writer, this.cacheWriter(options));
  }

  /** Empty at the end. */
  nextCachePiece(writer: number): Uint8Array {
    if (!this.writers) throw closedError();
    return this.writers.next(writer);
  }

  closeCache(writer: number): void {
    this.writers?.close(writer);
  }

  loadCache(options: string, { files, signal }: CallContext): Promise<Int32Array> {
    return this.run(async () => {
      const { readWholeFile } = await cacheFiles();
      const source = await open(files[0]!, signal);
      try {
        const create = () => unwrap(this.native.loadCache(totalOf(source), options));
        const read = () => abortable(source.read(), this.closing.signal);
        await readWholeFile(this.engine, create, read, signal);
        return this.held();
      } finally {
        await source.close();
      }
    });
  }

  override close(): void {
    super.close();
    this.closing.abort();
  }

  protected override release(): void {
    this.writers?.closeAll();
    super.release();
  }

  private cacheWriter(options: string): () => NativeCacheWriter {
    return () => unwrap(this.native.saveCache(options));
  }

  private get length(): number {
    return this.call(() => this.native.length());
  }

  /** Computes the tokens that were chosen but not computed yet. */
  computeWaiting(watch: CallContext): Promise<void> {
    return this.run(() =>
      this.complete(
        this.call(() => unwrap(this.native.beginWaiting())),
        watch,
      ),
    );
  }

  private currentLogits(): Float32Array {
    return this.call(() => unwrap(this.native.logits()).slice());
  }

  private begin(ids: Int32Array, replace: boolean): number {
    return this.call(() => unwrap(this.native.begin(ids, replace)));
  }

  private async decodeConstrained(
    request: ConstrainedRequest,
    watch: CallContext,
    items: ItemSink<unknown>,
    isOver: () => boolean,
  ): Promise<Decoded> {
    const matcher = request.begin?.(this.call(() => this.native.begins()));
    try {
      return await this.decode(request, watch, items, isOver, matcher);
    } finally {
      matcher?.close();
    }
  }

  /** Generates tokens until the end, no faster than they are read. */
  private async decode(
    { sampling, processed }: GenerationRequest,
    watch: CallContext,
    items: ItemSink<unknown>,
    isOver: () => boolean,
    matcher: TokenMatcher | undefined,
  ): Promise<Decoded> {
    let start = performance.now();
    this.call(() => unwrap(this.native.startGeneration(sampling)));
    for (let tokens = 0, first = true; ; first = false) {
      if (!items.hasRoom) {
        const waiting = performance.now();
        await this.untilRead(items.room(), watch.signal);
        start += performance.now() - waiting;
      }
      if (processed && !isOver()) await this.process(watch, first);
      if (isOver()) return { reason: 'abort', tokens, decodeMs: performance.now() - start };
      const { reason, ...token } = this.choose(matcher);
      if (token.id >= 0) ++tokens;
      if (token.id >= 0 || token.text) items.give(token);
      if (reason) return { reason, tokens, decodeMs: performance.now() - start };
      // Cannot be aborted: a token that was given to the reader must be in the session.
      await this.compute(1, () => false);
    }
  }

  private choose(matcher: TokenMatcher | undefined): NativeToken {
    if (matcher?.mustEnd) return this.call(() => unwrap(this.native.finish()));
    matcher?.copyMask(() => this.call(() => this.native.maskWindow()));
    const token = this.call(() => unwrap(this.native.choose()));
    if (token.id >= 0) matcher?.accept(token.id);
    return token;
  }

  /** Waits for the reader, an abort or closing. */
  private async untilRead(reading: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    await abortable(abortable(reading, this.closing.signal), signal).catch(() => {});
    this.throwIfClosed();
  }

  private async process(watch: CallContext, first: boolean): Promise<void> {
    const question: LogitsQuestion = { logits: this.currentLogits(), ...(first ? { held: this.held() } : {}) };
    const edited = (await watch.onQuestion!(question)) as Float32Array | undefined;
    this.throwIfClosed();
    if (edited) this.call(() => unwrap(this.native.setLogits(edited)));
  }

  private check({ signal }: CallContext): void {
    this.throwIfClosed();
    throwIfAborted(signal);
  }

  /** Completes the computation of `left` tokens, or throws. */
  private async complete(left: number, watch: CallContext, onStep?: (left: number) => void): Promise<void> {
    await this.compute(left, () => watch.signal?.aborted === true, onStep);
    this.check(watch);
  }

  /** Computes `left` tokens. Returns false if it was stopped before the end. */
  private async compute(left: number, isOver: () => boolean, onStep?: (left: number) => void): Promise<boolean> {
    for (let more = left; more > 0; ) {
      await yieldIfDue();
      this.throwIfClosed();
      if (isOver()) return false;
      more = this.call(() => unwrap(this.native.step()));
      onStep?.(more);
    }
    return true;
  }

  private held(): Int32Array {
    return this.call(() => this.native.tokens().slice());
  }
}
