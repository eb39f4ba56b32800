// The engine of image classifiers.

import createQuintetClassifier from 'quintet-classifier-glue';

import { VariantEngines, type EngineChoice } from '../engine/start/variants.js';
import type { NativeClassifierModule } from './native.js';

const engines = new VariantEngines<NativeClassifierModule>({
  glue: createQuintetClassifier,
  expected: 'ClassifierLoader',
  threaded: true,
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-classifier-baseline.wasm', import.meta.url),
  relaxed: () => new URL('./quintet-classifier-relaxed.wasm', import.meta.url),
});

export const obtainClassifierEngine = (choice: EngineChoice) => engines.obtain(choice);
