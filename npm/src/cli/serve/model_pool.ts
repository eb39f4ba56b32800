// The models of a server: loaded by the first request that names them, and closed when they have been idle for a while,
// or when another one needs their memory.
import { AsyncLocalStorage } from 'node:async_hooks';
import { QuintetError } from '../../base/errors.js';
import type { ServedModel } from '../../integrations/openai/index.js';

/** A function that loads a model, and the memory that the model takes. */
export interface ModelLoader {
  load(): Promise<ServedModel>;
  /** Bytes of memory that it takes when loaded, known in advance. */
  bytes(): Promise<number>;
}

export interface PoolLimits {
  /** Milliseconds after which a model that nobody uses is closed. */
  idleMs: number;
  /** Maximum number of bytes of all loaded models. */
  maxBytes: number;
}

interface PooledModel {
  loader: ModelLoader;
  /** Undefined while it is not loaded. */
  loading?: Promise<ServedModel> | undefined;
  bytes: number;
  /** Requests that use it. */
  users: number;
  lastUsed: number;
  timer?: NodeJS.Timeout | undefined;
}

export class ModelPool {
  private readonly models: ReadonlyMap<string, PooledModel>;
  /** The models that a request uses. */
  private readonly used = new AsyncLocalStorage<Set<PooledModel>>();
  /** One model is loaded at a time, because each must know how much memory the others take. */
  private loadingTurn: Promise<unknown> = Promise.resolve();

  constructor(
    loaders: ReadonlyMap<string, ModelLoader>,
    private readonly limits: PoolLimits,
  ) {
    this.models = new Map([...loaders].map(([name, loader]) => [name, { loader, bytes: 0, users: 0, lastUsed: 0 }]));
  }

  /** The models as `openAI` expects them. */
  sources(): Record<string, () => Promise<ServedModel>> {
    return Object.fromEntries([...this.models].map(([name, model]) => [name, () => this.acquire(model)]));
  }

  /** Answers a request. The models that it uses stay loaded until `release` is called. */
  async during<T>(answer: () => Promise<T>): Promise<{ result: T; release(): void }> {
    const used = new Set<PooledModel>();
    const release = () => {
      for (const model of used) this.leave(model);
      used.clear();
    };
    try {
      return { result: await this.used.run(used, answer), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const model of this.models.values()) await this.unload(model);
  }

  private acquire(model: PooledModel): Promise<ServedModel> {
    const used = this.used.getStore();
    if (used && !used.has(model)) {
      used.add(model);
      model.users += 1;
      clearTimeout(model.timer);
    }
    if (model.loading) return model.loading;
    const loading = this.inTurn(() => this.load(model));
    model.loading = loading;
    // The next request tries again.
    loading.catch(() => (model.loading = undefined));
    return loading;
  }

  private leave(model: PooledModel): void {
    model.users -= 1;
    model.lastUsed = Date.now();
    if (model.users > 0) return;
    clearTimeout(model.timer);
    model.timer = setTimeout(() => void this.unload(model), this.limits.idleMs);
    model.timer.unref();
  }

  private inTurn<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.loadingTurn.then(job);
    this.loadingTurn = turn.catch(() => {});
    return turn;
  }

  private async load(model: PooledModel): Promise<ServedModel> {
    const bytes = await model.loader.bytes();
    await this.makeRoom(bytes);
    const loaded = await model.loader.load();
    model.bytes = bytes;
    return loaded;
  }

  /** Closes models that nobody uses, those first that were used longest ago. */
  private async makeRoom(bytes: number): Promise<void> {
    const loaded = [...this.models.values()].filter((model) => model.bytes > 0);
    const oldestFirst = [...loaded].sort((a, b) => a.lastUsed - b.lastUsed);
    let free = this.limits.maxBytes - loaded.reduce((sum, model) => sum + model.bytes, 0);
    for (const model of oldestFirst) {
      if (free >= bytes) return;
      // Includes models that were requested while another was being closed.
      if (model.users > 0) continue;
      free += model.bytes;
      await this.unload(model);
    }
    if (free >= bytes) return;
    throw new QuintetError('MEMORY', `the model needs ${bytes} bytes, and ${Math.max(free, 0)} are free`, {
      reason: 'out_of_memory',
    });
  }

  private async unload(model: PooledModel): Promise<void> {
    const { loading } = model;
    clearTimeout(model.timer);
    model.loading = undefined;
    model.bytes = 0;
    (await loading?.catch(() => undefined))?.close();
  }
}
