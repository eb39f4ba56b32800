// The engine of text generators.

import createQuintetGenerator from 'quintet-generator-glue';

import { VariantEngines } from '../engine/start/engine.js';
import { generatorHostLoader } from './host.js';
import type { NativeGeneratorModule } from './native.js';

const engines = new VariantEngines<NativeGeneratorModule>({
  glue: createQuintetGenerator,
  expected: 'GeneratorLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-generator-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-generator-relaxed.wasm', import.meta.url),
});

export const loadGeneratorHost = generatorHostLoader((choice) => engines.obtain(choice));
