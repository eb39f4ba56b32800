// Grammars for the tokens of one model, in the thread of its engine.

import { closedError, memoryError } from '../base/errors.js';
import { unwrap } from '../engine/native.js';
import { compileNative } from './client.js';
import { type GrammarEngine, obtainGrammarEngine } from './engine.js';
import type { NativeConstrainedTokens, NativeGrammar, NativeGrammarVocabulary, NativeTokenMatcher } from './native.js';
import type { GrammarText } from './source.js';

/** The bytes of all tokens, one after another, where each ends, and the ids of those that end a text. */
export interface TokenBytes {
  bytes: Uint8Array;
  ends: Int32Array;
  stops: Int32Array;
}

/** A model's information about its tokens. */
export interface TokenSource {
  /** `begins`: as the first of a text, where some tokenizers leave out a space. */
  vocabulary(begins: boolean): TokenBytes;
  /** The id of a token; -1 if there is none. */
  find(token: string): number;
}

/** The tokens that a grammar allows next. */
export class TokenMatcher {
  constructor(
    private readonly engine: GrammarEngine,
    private readonly native: NativeTokenMatcher,
  ) {}

  /** Copies the bits of the tokens that may come next. `window` is called after the last growth of memory. */
  copyMask(window: () => Uint32Array): void {
    this.engine.run(() => {
      const mask = unwrap(this.native.mask());
      window().set(mask);
    });
  }

  accept(token: number): void {
    this.engine.run(() => unwrap(this.native.accept(token)));
  }

  /** The text that probably follows, up to the next choice. */
  probableText(): string {
    return this.engine.run(() => this.native.probableText());
  }

  get mustEnd(): boolean {
    return this.engine.run(() => this.native.mustEnd());
  }

  close(): void {
    if (this.engine.usable) this.native.delete();
  }
}

/** A grammar with cached masks for the tokens of the model. */
class TokenGrammar {
  private readonly constrained = new Map<NativeGrammarVocabulary, NativeConstrainedTokens>();

  constructor(
    private readonly engine: GrammarEngine,
    private readonly native: NativeGrammar,
    private readonly named: Int32Array,
  ) {}

  /** `first`: the tokens as the first of a text, if nothing precedes it. */
  begin(vocabulary: NativeGrammarVocabulary, first?: NativeGrammarVocabulary): TokenMatcher {
    const begun = this.engine.run(() => {
      const tokens = this.tokensOf(vocabulary);
      return first ? tokens.beginText(this.tokensOf(first)) : tokens.begin();
    });
    return new TokenMatcher(this.engine, begun);
  }

  private tokensOf(vocabulary: NativeGrammarVocabulary): NativeConstrainedTokens {
    const tokens = this.constrained.get(vocabulary) ?? vocabulary.constrain(this.native, this.named);
    this.constrained.set(vocabulary, tokens);
    return tokens;
  }

  close(): void {
    for (const tokens of this.constrained.values()) tokens.delete();
    this.native.delete();
  }
}

/** Grammars that are kept for the next generation: masks take time the first time. */
const maxKept = 8;

export class TokenGrammars {
  private engine: GrammarEngine | undefined;
  /** Grammars by their texts, the most recent last. */
  private readonly grammars = new Map<string, TokenGrammar>();
  private readonly vocabularies = new Map<boolean, NativeGrammarVocabulary>();
  private closed = false;

  constructor(private readonly source: TokenSource) {}

  /** Compiles a grammar. The function that it returns begins a text; `begins`: nothing precedes it. */
  async prepare(text: GrammarText): Promise<(begins: boolean) => TokenMatcher> {
    const engine = await obtainGrammarEngine();
    if (this.closed) throw closedError();
    if (engine !== this.engine) {
      // After a trap another instance runs, which has no grammars yet.
      this.grammars.clear();
      this.vocabularies.clear();
      this.engine = engine;
    }
    const grammar = this.grammarOf(engine, text);
    return (begins) => {
      const first = begins ? this.vocabularyOf(engine, true) : undefined;
      return grammar.begin(this.vocabularyOf(engine, false), first);
    };
  }

  close(): void {
    this.closed = true;
    if (this.engine?.usable) {
      for (const grammar of this.grammars.values()) grammar.close();
      for (const vocabulary of this.vocabularies.values()) vocabulary.delete();
    }
    this.grammars.clear();
    this.vocabularies.clear();
  }

  private grammarOf(engine: GrammarEngine, text: GrammarText): TokenGrammar {
    const key = JSON.stringify(text);
    const known = this.grammars.get(key);
    this.grammars.delete(key);
    const grammar = known ?? this.compiled(engine, text);
    this.grammars.set(key, grammar);
    const [oldest] = this.grammars.keys();
    if (this.grammars.size > maxKept) {
      this.grammars.get(oldest!)!.close();
      this.grammars.delete(oldest!);
    }
    return grammar;
  }

  private compiled(engine: GrammarEngine, text: GrammarText): TokenGrammar {
    const native = compileNative(engine, text);
    const names = JSON.parse(engine.run(() => native.tokenNames())) as (number | string)[];
    const named = names.map((name) => (typeof name === 'number' ? name : this.source.find(name)));
    return new TokenGrammar(engine, native, Int32Array.from(named));
  }

  private vocabularyOf(engine: GrammarEngine, begins: boolean): NativeGrammarVocabulary {
    const known = this.vocabularies.get(begins);
    if (known) return known;
    const { bytes, ends, stops } = this.source.vocabulary(begins);
    const vocabulary = engine.run((native) => new native.GrammarVocabulary());
    engine.run(() => {
      const window = vocabulary.textWindow(bytes.length);
      if (!window) throw memoryError(bytes.length);
      window.set(bytes);
      vocabulary.take(bytes.length, ends, stops);
    });
    this.vocabularies.set(begins, vocabulary);
    return vocabulary;
  }
}
