// A session in the thread that its engine runs in: computing looks up every few milliseconds.

import { abortable, throwIfAborted } from './abort.js';
import type { CallWatch } from './backend.js';
import { OpenWriters, readWholeFile, wholeFile } from './cache_files.js';
import { breathe } from './event_loop.js';
import type { GenerationRequest, GenerationResult, LogitsQuestion } from './generator_backend.js';
import { unwrap, type NativeCacheWriter, type NativeSession } from './native.js';
import { NativeOwner } from './native_owner.js';

interface Score {
  sum: number;
  count: number;
}

export class SessionHost extends NativeOwner<NativeSession> {
  readonly cacheWriters = new OpenWriters(this.engine);
  private readonly closing = new AbortController();

  get isEmpty(): boolean {
    return this.length === 0;
  }

  fork(): SessionHost {
    return new SessionHost(this.engine, this.call(() => unwrap(this.native.fork())));
  }

  rewind(length: number): void {
    this.call(() => {
      if (this.native.rewind(length).ok) return;
      // A sliding window has left behind what it would see then: that is computed anew with the next call.
      unwrap(this.native.begin(this.native.tokens().slice(0, length), true));
      this.native.cancel();
    });
  }

  nextLogits(watch: CallWatch): Promise<Float32Array> {
    return this.run(async () => {
      await this.complete(this.begin(new Int32Array(), false), watch);
      return this.currentLogits();
    });
  }

  /** After the last of the ids, which become the session's content. */
  logitsOf(ids: Int32Array, watch: CallWatch): Promise<Float32Array> {
    return this.run(async () => {
      await this.complete(this.begin(ids, true), watch);
      return this.currentLogits();
    });
  }

  allLogitsOf(ids: Int32Array, watch: CallWatch): Promise<Float32Array> {
    return this.run(async () => {
      const rows: Float32Array[] = [];
      const left = this.call(() => unwrap(this.native.beginScoring(ids, false)));
      await this.complete(left, watch, () => rows.push(this.call(() => this.native.takeLogits().slice())));
      return joined(rows);
    });
  }

  /**
   * Sum of -ln p of every id but the first, and their number. `afterHeld`: given what the session holds, of which none
   * may wait. `onStep` gets the tokens done.
   */
  score(
    ids: Int32Array,
    afterHeld: boolean,
    watch: CallWatch,
    onStep: (done: number) => void,
  ): Promise<Score> {
    return this.run(async () => {
      const total = this.call(() => unwrap(this.native.beginScoring(ids, afterHeld)));
      await this.complete(total, watch, (left) => onStep(total - left));
      return this.call(() => unwrap(this.native.scores()));
    });
  }

  /** The same of a text after what the session holds, where that is not nothing: then the first id counts, too. */
  async scoreNext(ids: Int32Array, watch: CallWatch, onStep: (done: number) => void): Promise<Score> {
    await this.computeWaiting(watch);
    if (this.isEmpty) return this.score(ids, false, watch, onStep);
    // The fork may compute the last token again for its logits; here its key and value stay as they are.
    const fork = this.fork();
    try {
      const logits = await fork.nextLogits(watch);
      const { sum, count } = await fork.score(ids, true, watch, (done) => {
        this.throwIfClosed();
        onStep(done);
      });
      return { sum: sum + surprise(logits, ids[0]!), count: count + 1 };
    } finally {
      fork.close();
    }
  }

  generate(ids: Int32Array, request: GenerationRequest, watch: CallWatch): Promise<GenerationResult> {
    return this.run(async () => {
      const start = performance.now();
      const total = this.begin(ids, request.replace);
      let prefillTokens = 0;
      const prefilled = (left: number) => {
        prefillTokens = total - left;
        watch.onEvent?.({ prefilled: prefillTokens, total });
      };
      prefilled(total);
      const complete = await this.compute(total, watch, prefilled);
      if (!complete) this.call(() => this.native.cancel());
      const decodeStart = performance.now();
      const promptEnd = this.length;
      const { reason, tokens } = complete
        ? await this.decode(request, watch)
        : { reason: 'abort' as const, tokens: 0 };
      return {
        reason,
        promptTokens: ids.length,
        tokens,
        prefillTokens,
        prefillMs: decodeStart - start,
        decodeMs: performance.now() - decodeStart,
        promptEnd,
        held: this.held(),
      };
    });
  }

  async saveCache(options: string, watch: CallWatch): Promise<Uint8Array> {
    await this.computeWaiting(watch);
    return this.run(() => wholeFile(this.engine, this.cacheWriter(options), () => this.check(watch)));
  }

  /** The writer does not change with the session. */
  async openCache(writer: number, options: string, watch: CallWatch): Promise<void> {
    await this.computeWaiting(watch);
    this.throwIfClosed();
    this.cacheWriters.open(writer, this.cacheWriter(options));
  }

  loadCache(total: number, options: string, { signal, onQuestion }: CallWatch): Promise<Int32Array> {
    return this.run(async () => {
      const create = () => unwrap(this.native.loadCache(total, options));
      const read = () => abortable(onQuestion!(undefined) as Promise<Uint8Array | null>, this.closing.signal);
      await readWholeFile(this.engine, create, read, signal);
      return this.held();
    });
  }

  override close(): void {
    super.close();
    this.closing.abort();
  }

  protected override release(): void {
    this.cacheWriters.closeAll();
    super.release();
  }

  private cacheWriter(options: string): () => NativeCacheWriter {
    return () => unwrap(this.native.saveCache(options));
  }

  private get length(): number {
    return this.call(() => this.native.length());
  }

  /** Tokens that were chosen and not computed. */
  private computeWaiting(watch: CallWatch): Promise<void> {
    return this.run(() => this.complete(this.call(() => unwrap(this.native.beginWaiting())), watch));
  }

  private currentLogits(): Float32Array {
    return this.call(() => unwrap(this.native.logits()).slice());
  }

  private begin(ids: Int32Array, replace: boolean): number {
    return this.call(() => unwrap(this.native.begin(ids, replace)));
  }

  private async decode(
    { sampling, processed }: GenerationRequest,
    watch: CallWatch,
  ): Promise<Pick<GenerationResult, 'reason' | 'tokens'>> {
    this.call(() => unwrap(this.native.startGeneration(sampling)));
    for (let tokens = 0, first = true; ; first = false) {
      if (processed && !watch.signal?.aborted) await this.process(watch, first);
      if (watch.signal?.aborted) return { reason: 'abort', tokens };
      const { reason, ...token } = this.call(() => unwrap(this.native.choose()));
      if (token.id >= 0) ++tokens;
      if (token.id >= 0 || token.text) watch.onEvent?.({ token });
      if (reason) return { reason, tokens };
      // Not aborted before it is complete: what was given out stays in the session.
      await this.compute(1, {});
    }
  }

  private async process(watch: CallWatch, first: boolean): Promise<void> {
    const question: LogitsQuestion = { logits: this.currentLogits(), ...(first ? { held: this.held() } : {}) };
    const edited = (await watch.onQuestion!(question)) as Float32Array | undefined;
    this.throwIfClosed();
    if (edited) this.call(() => unwrap(this.native.setLogits(edited)));
  }

  private check({ signal }: CallWatch): void {
    this.throwIfClosed();
    throwIfAborted(signal);
  }

  /** What was begun, `left` tokens of it, or an error. */
  private async complete(left: number, watch: CallWatch, onStep?: (left: number) => void): Promise<void> {
    await this.compute(left, watch, onStep);
    this.check(watch);
  }

  /** The same. False: aborted. */
  private async compute(left: number, watch: CallWatch, onStep?: (left: number) => void): Promise<boolean> {
    for (let more = left; more > 0; ) {
      await breathe();
      this.throwIfClosed();
      if (watch.signal?.aborted) return false;
      more = this.call(() => unwrap(this.native.step()));
      onStep?.(more);
    }
    return true;
  }

  private held(): Int32Array {
    return this.call(() => this.native.tokens().slice());
  }
}

/** -ln p of an id. */
function surprise(logits: Float32Array, id: number): number {
  const top = logits.reduce((most, logit) => Math.max(most, logit), -Infinity);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - top), 0);
  return top + Math.log(sum) - logits[id]!;
}

function joined(rows: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const row of rows) {
    all.set(row, at);
    at += row.length;
  }
  return all;
}
