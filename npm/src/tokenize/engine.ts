// The engine of tokenizers: a small separate module, in one build, without kernels.

import createQuintetTokenizer from 'quintet-tokenizer-glue';

import { type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import type { NativeTokenizerModule } from './native.js';

const engines = new VariantEngines<NativeTokenizerModule>({
  glue: createQuintetTokenizer,
  expected: 'TokenizerLoader',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-tokenizer.wasm', import.meta.url),
});

export const obtainTokenizerEngine = (choice: Pick<EngineChoice, 'wasm' | 'onBytes'>) =>
  engines.obtain({ ...choice, variant: 'baseline', threads: 1 });
