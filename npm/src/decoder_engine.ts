// The engine that generates text: a module of its own, which pages that only embed never download.

import createQuintetDecoder from 'quintet-decoder-glue';

import type { NativeDecoderModule } from './native.js';
import { VariantEngines, type EngineChoice } from './variant_engine.js';

const engines = new VariantEngines<NativeDecoderModule>({
  glue: createQuintetDecoder,
  expected: 'GeneratorLoader',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-decoder-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-decoder-relaxed.wasm', import.meta.url),
  baselineThreads: () => new URL('./quintet-decoder-baseline-threads.wasm', import.meta.url),
  relaxedThreads: () => new URL('./quintet-decoder-relaxed-threads.wasm', import.meta.url),
});

export const obtainDecoderEngine = (choice: EngineChoice) => engines.obtain(choice);
