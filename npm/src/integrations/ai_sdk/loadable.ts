// Models that may still have to be loaded, and their state for an interface.

import type { LoadProgress } from '../../base/types.js';

/** A model, one that is being loaded, or a function that loads it and reports how far it is. */
export type LoadableModel<Model> =
  | Model
  | Promise<Model>
  | ((onProgress: (progress: LoadProgress) => void) => Promise<Model>);

/** Whether a model can be used at once, is being loaded, would have to be, or cannot be. */
export type Availability = 'available' | 'downloading' | 'downloadable' | 'unavailable';

export interface Loadable {
  /** For a page, before it uses the model. */
  availability(): Availability;
  /** Loads the model, which its first use does otherwise. */
  load(onProgress?: (progress: LoadProgress) => void): Promise<void>;
}

class LoadOnce<Model extends object> {
  private loading: Promise<Model> | undefined;
  private state: Availability = 'downloadable';
  private readonly listeners = new Set<(progress: LoadProgress) => void>();

  constructor(private readonly source: LoadableModel<Model>) {
    if (typeof source !== 'function') void this.get().catch(() => {});
  }

  get(onProgress?: (progress: LoadProgress) => void): Promise<Model> {
    if (onProgress) this.listeners.add(onProgress);
    return (this.loading ??= this.load());
  }

  availability(): Availability {
    return this.state;
  }

  private async load(): Promise<Model> {
    const { source } = this;
    this.state = source instanceof Promise || typeof source === 'function' ? 'downloading' : 'available';
    try {
      const tell = (progress: LoadProgress) => {
        for (const listener of this.listeners) listener(progress);
      };
      const model = await (typeof source === 'function' ? source(tell) : source);
      this.state = 'available';
      return model;
    } catch (error) {
      this.state = 'unavailable';
      // A function may be called again.
      if (typeof source === 'function') this.loading = undefined;
      throw error;
    } finally {
      this.listeners.clear();
    }
  }
}

/** The name of this provider, also in `providerOptions`. */
export const providerName = 'quintet';

/** The base of models of all kinds. */
export class ProvidedModel<Model extends object> implements Loadable {
  readonly specificationVersion = 'v4';
  readonly provider = providerName;
  protected readonly model: LoadOnce<Model>;

  constructor(
    source: LoadableModel<Model>,
    readonly modelId: string,
  ) {
    this.model = new LoadOnce(source);
  }

  availability(): Availability {
    return this.model.availability();
  }

  async load(onProgress?: (progress: LoadProgress) => void): Promise<void> {
    await this.model.get(onProgress);
  }
}
