// The engine of grammars: a small separate module, in one build, which only pages that constrain text download.

import createQuintetGrammar from 'quintet-grammar-glue';

import { type Engine, VariantEngines } from '../engine/start/engine.js';
import type { NativeGrammarModule } from './native.js';

export type GrammarEngine = Engine<NativeGrammarModule>;

const engines = new VariantEngines<NativeGrammarModule>({
  glue: createQuintetGrammar,
  expected: 'GrammarCompiler',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-grammar.wasm', import.meta.url),
});

export const obtainGrammarEngine = () => engines.obtain({ variant: 'baseline', threads: 1 });
