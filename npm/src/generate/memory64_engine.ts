// The engine of text generators in 64-bit memory, for models beyond 4 GB. It has one thread.

import createQuintetGenerator from 'quintet-memory64-glue';

import { VariantEngines } from '../engine/start/engine.js';
import { generatorHostLoader } from './host.js';
import type { NativeGeneratorModule } from './native.js';

// Bundlers look for exactly this form of URL. There is one build: every engine with 64-bit memory has relaxed SIMD.
const location = () => new URL('./quintet-generator-memory64.wasm', import.meta.url);

const engines = new VariantEngines<NativeGeneratorModule>({
  glue: createQuintetGenerator,
  expected: 'GeneratorLoader',
  memory64: true,
  baseline: location,
  relaxed: location,
});

export const loadMemory64Host = generatorHostLoader((choice) => engines.obtain({ ...choice, threads: 1 }));
