// The engine that generates text in 64-bit memory: for models beyond 4 GB. It computes in one thread.

import createQuintetDecoder from 'quintet-memory64-glue';

import type { NativeDecoderModule } from './native.js';
import { VariantEngines, type EngineChoice } from './variant_engine.js';

// Bundlers look for exactly this form of URL. What has 64-bit memory has relaxed SIMD: there is one build.
const location = () => new URL('./quintet-decoder-memory64.wasm', import.meta.url);

const engines = new VariantEngines<NativeDecoderModule>({
  glue: createQuintetDecoder,
  expected: 'GeneratorLoader',
  memory64: true,
  baseline: location,
  relaxed: location,
  baselineThreads: location,
  relaxedThreads: location,
});

export const obtainMemory64Engine = (choice: EngineChoice) => engines.obtain({ ...choice, threads: 1 });
