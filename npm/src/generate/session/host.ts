// A session in the thread of its engine. Computations yield to the event loop every few milliseconds.

import { throwIfAborted } from '../../base/abort.js';
import { lazyModule } from '../../base/lazy_module.js';
import { unwrap } from '../../engine/native.js';
import { NativeOwner } from '../../engine/native_object.js';
import type { Engine } from '../../engine/start/engine.js';
import type { CallContext } from '../../worker/calls.js';
import type { GuessingRecord } from '../guessing/guesser.js';
import type { NativeSession } from '../native.js';
import type { SharedSteps } from '../together/shared_steps.js';
import type { SessionCaches } from './cache_files.js';

/** Loaded with the first cache that is saved or loaded. */
const cacheFiles = lazyModule(() => import('./cache_files.js'), 'SessionCaches');

/** A prompt whose beginning others may have, too. */
export interface SharedPrompt {
  ids: Int32Array;
  /** Resolves when the prompt is computed, or failed. */
  ended: Promise<void>;
}

export class SessionHost extends NativeOwner<NativeSession> {
  /** Aborts with the session. */
  readonly closing = new AbortController();
  /** Undefined before the first. */
  openCaches: SessionCaches | undefined;
  /** Experience with guesses in this session. */
  record: GuessingRecord | undefined;
  /** Whether other sessions of this kind may start from what this one has computed. */
  isShared = false;
  /** The prompt that is being computed, of which they may wait for the beginning. */
  sharedPrompt: SharedPrompt | undefined;

  constructor(
    override readonly engine: Engine,
    override readonly native: NativeSession,
    private readonly steps: SharedSteps,
  ) {
    super(engine, native);
  }

  get length(): number {
    return this.call(() => this.native.length());
  }

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** Whether no other session computes now. */
  get isAlone(): boolean {
    return this.steps.active === 1;
  }

  held(): Int32Array {
    return this.call(() => this.native.tokens().slice());
  }

  fork(): SessionHost {
    const native = this.call(() => unwrap(this.native.fork()));
    return new SessionHost(this.engine, native, this.steps);
  }

  rewind(length: number): void {
    this.call(() => unwrap(this.native.rewind(length)));
  }

  /** The number of leading ids that need not be computed after those that this session has computed. */
  reusable(ids: Int32Array): number {
    return this.call(() => this.native.reusable(ids));
  }

  /** Replaces the content with what another session has computed so far. */
  adopt(other: SessionHost): void {
    this.call(() => unwrap(this.native.adopt(other.native)));
  }

  useAdapters(use: (native: NativeSession) => void): void {
    this.throwIfClosed();
    use(this.native);
  }

  /** Saves and loads the content of the session. */
  async caches(): Promise<SessionCaches> {
    const { SessionCaches } = await cacheFiles();
    this.throwIfClosed();
    return (this.openCaches ??= new SessionCaches(this));
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

  /** Computes the tokens that were chosen but not computed yet. */
  computeWaiting(watch: CallContext): Promise<void> {
    return this.run(() => this.complete(this.beginWaiting(), watch));
  }

  override close(): void {
    super.close();
    this.closing.abort();
  }

  /** Native code in the engine of the session. */
  override call<T>(job: () => T): T {
    return super.call(job);
  }

  /** A job of the session: one at a time, and counted among those that compute together. */
  override async run<T>(job: () => Promise<T>): Promise<T> {
    ++this.steps.active;
    try {
      return await super.run(job);
    } finally {
      --this.steps.active;
    }
  }

  /** Returns the number of tokens to compute. */
  begin(ids: Int32Array, replace: boolean): number {
    return this.call(() => unwrap(this.native.begin(ids, replace)));
  }

  /** Completes the computation of `left` tokens, or throws. */
  async complete(left: number, watch: CallContext, onStep?: (left: number) => void): Promise<void> {
    await this.compute(left, () => watch.signal?.aborted === true, onStep);
    this.check(watch);
  }

  /** Computes `left` tokens. Returns false if it was stopped before the end. */
  async compute(left: number, isOver: () => boolean, onStep?: (left: number) => void): Promise<boolean> {
    for (let more = left; more > 0; ) {
      if (isOver()) return false;
      await this.steps.step();
      this.throwIfClosed();
      more = this.call(() => unwrap(this.native.left()));
      onStep?.(more);
    }
    return true;
  }

  currentLogits(): Float32Array {
    return this.call(() => unwrap(this.native.logits()).slice());
  }

  /** Throws if the session was closed, or the call aborted. */
  check({ signal }: CallContext): void {
    this.throwIfClosed();
    throwIfAborted(signal);
  }

  protected override release(): void {
    this.openCaches?.closeAll();
    super.release();
  }

  private beginWaiting(): number {
    return this.call(() => unwrap(this.native.beginWaiting()));
  }
}
