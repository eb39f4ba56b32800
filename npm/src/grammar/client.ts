// Compiles grammars in the caller's thread.

import { checkText } from '../base/arguments.js';
import { Disposable } from '../base/disposable.js';
import { closedError, inputError } from '../base/errors.js';
import { isA } from '../base/values.js';
import { unwrap } from '../engine/native.js';
import { withText } from '../engine/native_object.js';
import { type GrammarEngine, obtainGrammarEngine } from './engine.js';
import type { NativeGrammar } from './native.js';
import { schemaRules } from './schema_rules.js';
import { type GrammarText, gbnfText, schemaText } from './source.js';
import type { Grammar, GrammarSource } from './types.js';

/** The native grammar of a text. The caller must delete() it. */
export function compileNative(
  engine: GrammarEngine,
  { text, kind, schemas = [], python = false }: GrammarText,
): NativeGrammar {
  if (schemas.length === 0) return compileText(engine, kind, text);
  const rules = schemas.map((schema, i) => {
    const grammar = compileText(engine, 'jsonSchema', schema);
    const gbnf = engine.run(() => grammar.gbnf());
    grammar.delete();
    return schemaRules(gbnf, `schema-${i}`, python);
  });
  return compileText(engine, kind, [text, ...rules].join('\n'));
}

function compileText(engine: GrammarEngine, kind: GrammarText['kind'], text: string): NativeGrammar {
  const compiler = engine.run((native) => new native.GrammarCompiler());
  try {
    return withText(engine, compiler, text, (bytes) => unwrap(compiler[kind](bytes)));
  } finally {
    if (engine.usable) compiler.delete();
  }
}

export async function compileSource(source: GrammarSource): Promise<Grammar> {
  const text = textOf(source);
  const engine = await obtainGrammarEngine();
  return new CompiledGrammar(engine, compileNative(engine, text));
}

function textOf(source: GrammarSource): GrammarText {
  const given: { gbnf?: unknown; jsonSchema?: unknown } = isA(source, 'Object') ? source : {};
  const [name, ...others] = Object.keys(given);
  const { gbnf, jsonSchema } = given;
  if (name === 'gbnf' && others.length === 0) return gbnfText(gbnf, 'compileGrammar');
  if (name === 'jsonSchema' && others.length === 0) return schemaText(jsonSchema, 'compileGrammar');
  throw inputError('wrong_type', 'compileGrammar: the source is { gbnf } or { jsonSchema }');
}

interface Held {
  engine: GrammarEngine;
  native: NativeGrammar;
}

function free({ engine, native }: Held): void {
  // After a trap the whole instance is discarded, with its memory.
  if (engine.usable) native.delete();
}

const forgotten = new FinalizationRegistry<Held>(free);

class CompiledGrammar extends Disposable implements Grammar {
  readonly gbnf: string;
  private held: Held | undefined;

  constructor(engine: GrammarEngine, native: NativeGrammar) {
    super();
    this.held = { engine, native };
    this.gbnf = engine.run(() => native.gbnf());
    forgotten.register(this, this.held, this);
  }

  accepts(text: string): boolean {
    if (!this.held) throw closedError();
    const { engine, native } = this.held;
    return withText(engine, native, checkText(text), (bytes) => unwrap(native.accepts(bytes)));
  }

  close(): void {
    if (!this.held) return;
    forgotten.unregister(this);
    free(this.held);
    this.held = undefined;
  }
}
