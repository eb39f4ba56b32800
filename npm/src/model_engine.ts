// The engine that embeds, inspects and reads files.

import createQuintet from 'quintet-glue';

import type { NativeModule } from './native.js';
import { VariantEngines, type EngineChoice } from './variant_engine.js';

const engines = new VariantEngines<NativeModule>({
  glue: createQuintet,
  expected: 'EmbedderLoader',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-relaxed.wasm', import.meta.url),
  baselineThreads: () => new URL('./quintet-baseline-threads.wasm', import.meta.url),
  relaxedThreads: () => new URL('./quintet-relaxed-threads.wasm', import.meta.url),
});

export const obtainEngine = (choice: EngineChoice) => engines.obtain(choice);
