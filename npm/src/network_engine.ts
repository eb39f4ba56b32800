// The engine that runs image networks: a module of its own, which pages without pictures never download.

import createQuintetNetwork from 'quintet-network-glue';

import type { NativeNetworkModule } from './native.js';
import { VariantEngines, type EngineChoice } from './variant_engine.js';

const engines = new VariantEngines<NativeNetworkModule>({
  glue: createQuintetNetwork,
  expected: 'ClassifierLoader',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-network-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-network-relaxed.wasm', import.meta.url),
  baselineThreads: () => new URL('./quintet-network-baseline-threads.wasm', import.meta.url),
  relaxedThreads: () => new URL('./quintet-network-relaxed-threads.wasm', import.meta.url),
});

export const obtainNetworkEngine = (choice: EngineChoice) => engines.obtain(choice);
