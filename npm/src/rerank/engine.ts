// The engine of rerankers: the same module as that of embedders.

import createQuintetEmbedder from 'quintet-embedder-glue';

import { VariantEngines, type EngineChoice } from '../engine/variants.js';
import type { NativeRerankerModule } from './native.js';

const engines = new VariantEngines<NativeRerankerModule>({
  glue: createQuintetEmbedder,
  expected: 'RerankerLoader',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-embedder-relaxed.wasm', import.meta.url),
  baselineThreads: () => new URL('./quintet-embedder-baseline-threads.wasm', import.meta.url),
  relaxedThreads: () => new URL('./quintet-embedder-relaxed-threads.wasm', import.meta.url),
});

export const obtainRerankerEngine = (choice: EngineChoice) => engines.obtain(choice);
