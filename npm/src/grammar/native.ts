// The exports of the WebAssembly module for grammars (bindings/grammar).

import type { NativeHandle, NativeInstance, Outcome } from '../engine/native.js';

/** A compiled grammar. */
export interface NativeGrammar extends NativeHandle {
  /** The grammar as GBNF. */
  gbnf(): string;
  /** The tokens that it names, in the order of its list: JSON [id or text, ...]. */
  tokenNames(): string;
  /** Buffer for the UTF-8 of one text, null if out of memory. */
  textWindow(bytes: number): Uint8Array | null;
  /** Whether it matches the whole text in the buffer. */
  accepts(bytes: number): Outcome<boolean>;
}

export interface NativeGrammarCompiler extends NativeHandle {
  /** Buffer for the UTF-8 of one grammar, null if out of memory. */
  textWindow(bytes: number): Uint8Array | null;
  /** Compiles the GBNF in the buffer. */
  gbnf(bytes: number): Outcome<NativeGrammar>;
  /** Compiles the JSON schema in the buffer. */
  jsonSchema(bytes: number): Outcome<NativeGrammar>;
}

/** The tokens of a model. */
export interface NativeGrammarVocabulary extends NativeHandle {
  /** Buffer for the bytes of all tokens, one after another; null if out of memory. */
  textWindow(bytes: number): Uint8Array | null;
  /** Takes them from the buffer. `ends`: where each token ends; `stops`: ids of the tokens that end a text. */
  take(bytes: number, ends: Int32Array, stops: Int32Array): void;
  /** `named`: the ids of the tokens that the grammar names, in the order of tokenNames(); -1 for none. */
  constrain(grammar: NativeGrammar, named: Int32Array): NativeConstrainedTokens;
}

/** A grammar for the tokens of a model: what its matchers have found out is kept for the next. */
export interface NativeConstrainedTokens extends NativeHandle {
  begin(): NativeTokenMatcher;
  /** Begins where nothing precedes. `first`: the same grammar for the tokens as the first of a text. */
  beginText(first: NativeConstrainedTokens): NativeTokenMatcher;
}

/** A text that grows token by token. */
export interface NativeTokenMatcher extends NativeHandle {
  /** A bit for each token that may come next, as a view. INPUT if there is none. */
  mask(): Outcome<Uint32Array>;
  accept(token: number): Outcome<undefined>;
  /**
   * The text that must follow, up to the next choice of the grammar; optional white space is like that before. Where a
   * token ended within a character it begins with U+FFFD.
   */
  probableText(): string;
  /** Whether the text is complete and nothing can follow. */
  mustEnd(): boolean;
}

/** quintet-grammar.wasm */
export interface NativeGrammarModule extends NativeInstance {
  GrammarCompiler: new () => NativeGrammarCompiler;
  GrammarVocabulary: new () => NativeGrammarVocabulary;
}
