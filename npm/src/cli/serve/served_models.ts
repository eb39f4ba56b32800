// The models that a server is started with: their names, and how they are loaded.
import { basename } from 'node:path';
import {
  Embedder,
  type GeneratorLoadOptions,
  inspect,
  type LoadOptions,
  type PlannedLoad,
  Reranker,
  TextGenerator,
} from '../../index.js';
import type { ServedModel } from '../../integrations/openai/index.js';
import { UsageError } from '../ending.js';
import type { ModelLoader } from './model_pool.js';

/** A model as given on the command line: `SOURCE`, or `NAME=SOURCE` with the name that requests give it. */
export interface GivenModel {
  kind: 'generator' | 'embedder' | 'reranker';
  given: string;
}

/** Options of text generators, and those of all models. */
export interface ServedOptions {
  generator: Pick<GeneratorLoadOptions, 'quantize' | 'kvCache' | 'contextLength'>;
  engine: Pick<LoadOptions, 'threads' | 'variant'>;
}

export function modelLoaders(models: readonly GivenModel[], options: ServedOptions): Map<string, ModelLoader> {
  const loaders = new Map<string, ModelLoader>();
  for (const { kind, given } of models) {
    const { name, source } = namedSource(given);
    if (loaders.has(name)) throw new UsageError(`two models are called '${name}': name one of them with NAME=SOURCE`);
    loaders.set(name, {
      load: () => loadModel(kind, source, options),
      bytes: () => bytesOf(source, kind === 'generator' ? options.generator : {}),
    });
  }
  return loaders;
}

/** `hf:owner/name:Q8_0` is `owner/name:Q8_0`; a file has its name without the extension. */
function namedSource(given: string): { name: string; source: string } {
  const [, named, rest] = /^([^=/\\]+)=(.+)$/.exec(given) ?? [];
  const source = rest ?? given;
  const own = source.startsWith('hf:') ? source.slice(3) : basename(source).replace(/\.(gguf|amb|alt|weights)$/, '');
  return { name: named ?? own, source };
}

/** In workers, so that the server keeps answering while they compute. */
function loadModel(
  kind: GivenModel['kind'],
  source: string,
  { generator, engine }: ServedOptions,
): Promise<ServedModel> {
  const options = { ...engine, worker: true };
  if (kind === 'embedder') return Embedder.load(source, options);
  if (kind === 'reranker') return Reranker.load(source, options);
  return TextGenerator.load(source, { ...options, ...generator });
}

/** Bytes of memory that a loaded model takes; 0 if that is only known afterwards. */
async function bytesOf(source: string, load: PlannedLoad): Promise<number> {
  try {
    return (await inspect(source, { load })).memory?.load ?? 0;
  } catch {
    return 0;
  }
}
