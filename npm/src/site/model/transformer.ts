// A transformer as a model of passages, with the files that pages load to embed their queries.

import { createHash } from 'node:crypto';

import { unsupported } from '../../base/errors.js';
import type { ModelInput } from '../../base/types.js';
import { Embedder } from '../../embed/embedder.js';
import { locate } from '../../sources/locate.js';
import { locationOf } from '../../sources/open_source.js';
import type { Reader } from '../../sources/types.js';
import { wholeFile } from '../../sources/whole_file.js';
import type { PassageModel } from './passage_model.js';

const reader: Reader = { who: 'buildSite', own: ['.weights'], hasModules: true };

/** A file that is placed next to the index. */
export interface PublishedFile {
  name: string;
  bytes: Uint8Array;
}

export class Transformer implements PassageModel {
  readonly dimension: number;

  private constructor(
    readonly name: string,
    readonly fingerprint: string,
    /** The model that a page loads: a name on the Hub, a URL, or names of the files. */
    readonly model: string | readonly string[],
    readonly files: readonly PublishedFile[],
    private readonly embedder: Embedder,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.dimension = embedder.dimension;
  }

  /** @throws QuintetError UNSUPPORTED if it gives no single vector for a text; FORMAT, IO, INPUT, ABORTED */
  static async load(source: ModelInput, signal?: AbortSignal, name?: string): Promise<Transformer> {
    const embedder = await Embedder.load(source, signal && { signal });
    try {
      if (embedder.vectors !== 'dense')
        throw unsupported(`the model gives ${embedder.vectors} vectors, and a site needs one for each passage`);
      const address = addressOf(source);
      const files = address === undefined ? await filesOf(source, signal) : [];
      const hash = createHash('sha256').update(JSON.stringify([address, embedder.info.metadata, embedder.info.config]));
      for (const file of files) hash.update(file.name).update(file.bytes);
      const names = files.map((file) => file.name);
      const model = address ?? (names.length === 1 ? names[0]! : names);
      const shown = name ?? address ?? nameOf(source) ?? 'a transformer';
      return new Transformer(shown, hash.digest('hex'), model, files, embedder, signal);
    } catch (error) {
      embedder.close();
      throw error;
    }
  }

  async vectorsOf(texts: readonly string[]): Promise<Float32Array> {
    const { signal } = this;
    const { vectors } = await this.embedder.encode(texts, {
      role: 'document',
      normalize: true,
      ...(signal && { signal }),
    });
    return vectors;
  }

  close(): void {
    this.embedder.close();
  }
}

/** The address from which pages can load it: the Hub, or another server. Other models are copied. */
function addressOf(source: ModelInput): string | undefined {
  if (typeof source === 'string' && source.startsWith('hf:')) return source;
  const location = locationIn(source);
  return location && /^https?:$/.test(location.protocol) ? location.href : undefined;
}

const locationIn = (source: ModelInput): URL | undefined =>
  typeof source === 'string' || source instanceof URL ? locationOf(source) : undefined;

const nameOf = (source: ModelInput): string | undefined =>
  locationIn(source)?.pathname.replace(/\/$/, '').split('/').at(-1);

async function filesOf(source: ModelInput, signal: AbortSignal | undefined): Promise<PublishedFile[]> {
  const files = await locate(source, reader, signal ? { signal } : {});
  return Promise.all(
    files.map(async (file) => ({
      name: file.name || nameOf(source) || 'model',
      bytes: await wholeFile(file, Infinity, signal),
    })),
  );
}
