// The engine of rerankers: the same module as that of embedders.

import createQuintetEmbedder from 'quintet-embedder-glue';

import { VariantEngines, type EngineChoice } from '../engine/start/variants.js';
import type { NativeRerankerModule } from './native.js';

const engines = new VariantEngines<NativeRerankerModule>({
  glue: createQuintetEmbedder,
  expected: 'RerankerLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-embedder-relaxed.wasm', import.meta.url),
});

export const obtainRerankerEngine = (choice: EngineChoice) => engines.obtain(choice);
