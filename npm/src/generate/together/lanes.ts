// The sessions of generateMany(): how many generate at once, and which are kept for prompts that begin as theirs did.

import { inputError } from '../../base/errors.js';
import type { GeneratorHandle } from '../calls.js';
import type { TokenQueue } from '../generation.js';
import type { GenerationPlan } from '../options.js';
import type { GeneratorSession } from '../session.js';
import type { GenerateOptions, GenerationSummary } from '../types.js';

export const maxConcurrency = 64;
const defaultConcurrency = 8;

/** @throws QuintetError INPUT if this number of texts cannot be generated together */
export function checkConcurrency(value: number, where: string): void {
  if (!Number.isInteger(value) || value < 1 || value > maxConcurrency)
    throw inputError('out_of_range', `${where}: concurrency must be an integer from 1 to ${maxConcurrency}`);
}

interface Waiting {
  concurrency: number;
  start(): void;
}

class Lanes {
  private count = 0;
  /** Each lets a running generation continue without a reader. */
  private readonly running = new Set<() => void>();
  private readonly waiting: Waiting[] = [];
  /** Sessions whose generations are over, oldest first. */
  private readonly kept: GeneratorSession[] = [];

  constructor(
    private readonly handle: GeneratorHandle,
    private readonly newSession: () => GeneratorSession,
  ) {}

  /** Runs a job when fewer than `concurrency` run. `onWaiting` is called when another waits for it. */
  async run<T>(job: () => Promise<T>, onWaiting: () => void, concurrency = defaultConcurrency): Promise<T> {
    checkConcurrency(concurrency, 'generateMany');
    const started = new Promise<void>((start) => this.waiting.push({ concurrency, start }));
    this.startNext();
    // A generation that is not read yet does not hold up those that wait.
    if (this.waiting.length > 0) for (const goOn of this.running) goOn();
    await started;
    const goOn = () => onWaiting();
    this.running.add(goOn);
    if (this.waiting.length > 0) goOn();
    try {
      return await job();
    } finally {
      this.running.delete(goOn);
      --this.count;
      this.startNext();
    }
  }

  async generate(
    plan: GenerationPlan,
    options: GenerateOptions,
    tokens: TokenQueue,
    signal: AbortSignal,
  ): Promise<GenerationSummary> {
    for (;;) {
      const session = this.newSession();
      try {
        const summary = await session.produce(plan, options, tokens, signal);
        this.keep(session);
        return summary;
      } catch (error) {
        session.close();
        // There may be enough memory without the sessions that are only kept.
        const { reason } = error as { reason?: unknown };
        if (reason !== 'out_of_memory' || tokens.given > 0 || this.kept.length === 0) throw error;
        for (const kept of this.kept.splice(0)) kept.close();
      }
    }
  }

  private startNext(): void {
    while (this.waiting.length > 0 && this.count < this.waiting[0]!.concurrency) {
      ++this.count;
      this.waiting.shift()!.start();
    }
  }

  /** Together they have at most as many tokens as the context of one. */
  private keep(session: GeneratorSession): void {
    this.kept.push(session);
    let tokens = this.kept.reduce((sum, { length }) => sum + length, 0);
    while (tokens > this.handle.description.contextLength) {
      const oldest = this.kept.shift()!;
      tokens -= oldest.length;
      oldest.close();
    }
  }
}

const all = new WeakMap<object, Lanes>();

/** The lanes of a generator. */
export function lanesOf(handle: GeneratorHandle, owner: object, newSession: () => GeneratorSession): Lanes {
  const lanes = all.get(owner) ?? new Lanes(handle, newSession);
  all.set(owner, lanes);
  return lanes;
}
