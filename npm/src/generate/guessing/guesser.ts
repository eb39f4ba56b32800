// Guesses of the tokens that follow. One pass computes several of them with the token before, and the sampler then
// chooses as usual: the text is the same, in fewer passes (speculative decoding, Leviathan et al. 2023,
// arXiv:2211.17192). Loaded with the first generation that may gain from it.

import type { TokenMatcher } from '../../grammar/token_grammars.js';
import { PromptLookup } from './prompt_lookup.js';
import { Accuracy, bestOffer, maxGuesses, PassCosts } from './worth.js';

/** The inputs and outputs of guessing. */
export interface Guessed {
  /** All tokens of the session. */
  held(): Int32Array;
  /** Computes guesses in the next pass. */
  guess(ids: Int32Array): void;
  tokenize(text: string): Int32Array;
  /** Whether no other session computes. Guesses would take time from those. */
  isAlone(): boolean;
  /** The tokens that a draft model predicts. */
  drafts: ((ids: Int32Array, count: number) => Promise<Int32Array>) | undefined;
}

/** When to guess from the text and from a grammar: always, if it pays, or never. */
export type Lookup = boolean | 'auto';

/** With `true`: enough to fill the tiles of the kernels. */
const usualGuesses = 7;

/** Experience with guesses in a session. */
export class GuessingRecord {
  readonly costs = new PassCosts();
  readonly ofGrammar = new Accuracy(0.9, 6);
  readonly ofDraft = new Accuracy(0.92, 8);
  /** The accuracy by the number of tokens that match: below 6, below 12, more. */
  readonly ofLookup = [new Accuracy(0.4, 4), new Accuracy(0.6, 4), new Accuracy(0.8, 4)] as const;
  /** Milliseconds of a guess of the draft model. */
  draftMs = 0;
}

interface OpenGuesses {
  ids: Int32Array;
  accuracy: Accuracy;
  next: number;
}

/** Guesses in one generation. */
export class Guesser {
  private readonly lookup: PromptLookup | undefined;
  /** Guesses of a grammar or draft model that are not known to be right or wrong yet. */
  private open: OpenGuesses | undefined;

  constructor(
    private readonly session: Guessed,
    private readonly wanted: Lookup,
    private readonly record: GuessingRecord,
    private readonly matcher: TokenMatcher | undefined,
  ) {
    if (!wanted) return;
    this.lookup = new PromptLookup();
    for (const id of session.held()) this.lookup.add(id);
  }

  /** Learns from a token that was chosen. */
  chosen(id: number): void {
    const { lookup, open } = this;
    if (open) {
      const isRight = open.ids[open.next++] === id;
      open.accuracy.add(isRight);
      if (!isRight || open.next === open.ids.length) this.open = undefined;
    }
    if (!lookup) return;
    const accuracy = this.ofLookup();
    lookup.add(id);
    if (lookup.wasExpected !== undefined) accuracy.add(lookup.wasExpected);
  }

  /** Prepares the pass for the token that was chosen. To be called after the pass: it learns how long that took. */
  async beginPass(): Promise<() => void> {
    const ids = this.session.isAlone() || this.wanted === true ? await this.guesses() : new Int32Array();
    if (ids.length > 0) this.session.guess(ids);
    const start = performance.now();
    return () => this.record.costs.add(1 + ids.length, performance.now() - start);
  }

  private async guesses(): Promise<Int32Array> {
    const { wanted, record } = this;
    const { costs } = record;
    const ofGrammar = this.guessesByGrammar();
    const ofLookup = this.lookup?.guesses(maxGuesses) ?? new Int32Array();
    const [grammar, lookup] = [
      bestOffer(record.ofGrammar, ofGrammar.length, costs),
      bestOffer(this.ofLookup(), ofLookup.length, costs),
    ];
    if (grammar.count > 0 && grammar.gain >= lookup.gain)
      return this.opened(ofGrammar, grammar.count, record.ofGrammar);
    if (this.session.drafts) {
      const each = costs.inPasses(record.draftMs);
      const { count, gain } = bestOffer(record.ofDraft, maxGuesses, costs, each);
      if (count === 0) record.ofDraft.fade();
      else if (gain > lookup.gain || lookup.count === 0) return this.drafted(count);
    }
    if (wanted !== true) return ofLookup.subarray(0, lookup.count);
    return ofLookup.length > 0
      ? ofLookup.subarray(0, usualGuesses)
      : this.opened(ofGrammar, usualGuesses, record.ofGrammar);
  }

  private async drafted(count: number): Promise<Int32Array> {
    const start = performance.now();
    const ids = await this.session.drafts!(this.session.held(), count);
    if (ids.length > 0) this.record.draftMs = (performance.now() - start) / ids.length;
    return this.opened(ids, count, this.record.ofDraft);
  }

  private guessesByGrammar(): Int32Array {
    const text = this.matcher && this.wanted ? this.matcher.probableText() : '';
    // If a token ends within a character, the rest of its bytes is not text yet.
    return text === '' || text.includes('\ufffd') ? new Int32Array() : this.session.tokenize(text).slice(0, maxGuesses);
  }

  private opened(all: Int32Array, count: number, accuracy: Accuracy): Int32Array {
    const ids = all.subarray(0, count);
    this.open = ids.length > 0 ? { ids, accuracy, next: 0 } : undefined;
    return ids;
  }

  private ofLookup(): Accuracy {
    const { ofLookup } = this.record;
    const { matched } = this.lookup ?? { matched: 0 };
    return ofLookup[matched < 6 ? 0 : matched < 12 ? 1 : 2];
  }
}
