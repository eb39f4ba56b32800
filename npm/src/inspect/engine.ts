// The engine that reads, checks and converts files: a separate module, in one build, downloaded only for that.

import createQuintetFiles from 'quintet-files-glue';

import { type EngineChoice, VariantEngines } from '../engine/start/engine.js';
import type { NativeFilesModule } from './native.js';

const engines = new VariantEngines<NativeFilesModule>({
  glue: createQuintetFiles,
  expected: 'Converter',
  // Bundlers look for exactly this form of URL.
  baseline: () => new URL('./quintet-files.wasm', import.meta.url),
});

export const obtainFilesEngine = (choice: Pick<EngineChoice, 'wasm' | 'onBytes'> = {}) =>
  engines.obtain({ ...choice, variant: 'baseline', threads: 1 });
