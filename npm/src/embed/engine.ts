// The engine of embedders.

import createQuintetEmbedder from 'quintet-embedder-glue';

import { VariantEngines, type EngineChoice } from '../engine/start/variants.js';
import type { NativeEmbedderModule } from './native.js';

const engines = new VariantEngines<NativeEmbedderModule>({
  glue: createQuintetEmbedder,
  expected: 'EmbedderLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-embedder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-embedder-relaxed.wasm', import.meta.url),
});

export const obtainEmbedderEngine = (choice: EngineChoice) => engines.obtain(choice);
