import { lazyModule } from '../base/lazy_module.js';
import type { Grammar, GrammarSource } from './types.js';

/** Loaded with the first grammar, so that pages without one do not download it. */
const compiling = lazyModule(() => import('./client.js'), 'compileSource');

/**
 * Compiles a grammar in GBNF, the notation of llama.cpp, or a JSON schema, for `generate` or to check texts.
 * @throws QuintetError INPUT, with the place, for what is not a grammar or not a schema; UNSUPPORTED for a keyword of a
 * schema that cannot be kept; IO if the module cannot be loaded
 */
export async function compileGrammar(source: GrammarSource): Promise<Grammar> {
  return (await compiling()).compileSource(source);
}
