// The types of grammars.
/// <reference lib="esnext.disposable" preserve="true" />

import type { StandardSchema } from '../base/standard_schema.js';

/** A JSON schema (2020-12); `true` matches every JSON value where a schema is nested, and every object at the top. */
export type JsonSchema = object | true;

/** The source of a grammar. */
export type GrammarSource = { gbnf: string } | { jsonSchema: JsonSchema | StandardSchema };

/** A compiled grammar. */
export interface Grammar {
  /** The grammar in GBNF, the notation of llama.cpp. */
  readonly gbnf: string;
  /**
   * Whether the grammar matches a whole text. Tokens that it names by id or text have no text, and never match.
   * @throws QuintetError INPUT for a text that nests more than a million levels deep; CLOSED
   */
  accepts(text: string): boolean;
  /** Frees the grammar. `accepts` then throws CLOSED. */
  close(): void;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
