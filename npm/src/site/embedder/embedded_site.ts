// A site for whose queries a transformer makes vectors, once it is loaded.

import { closedError, messageOf, QuintetError } from '../../base/errors.js';
import type { SearchedSite } from '../reader/site_reader.js';
import type { Site, SiteHit, SiteSearchOptions } from '../types.js';

/** The part of `Embedder` that is used. */
export interface QueryEmbedder {
  embedQuery(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
  close(): void;
}

/** Loads the embedder that an index names; undefined where it should not. */
export type LoadEmbedder = (entry: NonNullable<SearchedSite['embedder']>) => Promise<QueryEmbedder | undefined>;

export class EmbeddedSite implements Site {
  private embedder: QueryEmbedder | undefined;
  private loading: Promise<boolean> | undefined;
  private failure: string | undefined;
  private isClosed = false;

  constructor(
    private readonly site: SearchedSite,
    private readonly load: LoadEmbedder,
  ) {}

  async search(text: string, options: SiteSearchOptions = {}): Promise<SiteHit[]> {
    const vector = await this.vectorOf(text, options);
    return this.site.search(text, vector ? { ...options, vector } : options);
  }

  filters(): Promise<Record<string, Record<string, number>>> {
    return this.site.filters();
  }

  loadEmbedder(): Promise<boolean> {
    this.loading ??= this.start().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  get bytes(): number {
    return this.site.bytes;
  }

  get problem(): string | undefined {
    return this.failure ?? this.site.problem;
  }

  close(): void {
    this.isClosed = true;
    this.embedder?.close();
    this.site.close();
  }

  private async start(): Promise<boolean> {
    const { embedder: entry } = this.site;
    this.embedder = entry && (await this.load(entry));
    if (this.isClosed) {
      this.embedder?.close();
      throw closedError();
    }
    return this.embedder !== undefined;
  }

  /** Undefined for queries without words, and if the embedder fails: the index has other means. */
  private async vectorOf(text: string, { mode, signal }: SiteSearchOptions): Promise<Float32Array | undefined> {
    this.failure = undefined;
    if (!this.embedder || mode === 'keyword' || !/[\p{L}\p{N}]/u.test(text)) return undefined;
    try {
      return await this.embedder.embedQuery(text, signal && { signal });
    } catch (error) {
      if (error instanceof QuintetError && error.code === 'ABORTED') throw error;
      this.failure = messageOf(error);
      return undefined;
    }
  }
}
