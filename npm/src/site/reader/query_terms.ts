// Looks up the terms of a query: unchanged, as prefixes while the last word is being typed, and as corrections of
// misspelt words.

import { QuintetError } from '../../base/errors.js';
import { wordsOf } from '../../search/keywords/words.js';
import type { Term, TermSplitter } from '../words/terms.js';
import { completionWeight, editWeights, maxCompletions, nameWeight, partWeight } from './ranking.js';
import { fileAt, type Shards } from './shards.js';
import type { Vocabulary } from './vocabulary.js';
import type { TermEntry, WordShard } from './word_shard.js';

/** A word of the query, with the terms that stand for it. */
export interface QueryTerm {
  term: string;
  variants: { entry: TermEntry; weight: number }[];
  problem?: string;
}

/** Characters of a term that the last word begins with, if there is none that begins with it. */
const minBeginning = 4;
/** Words of a query that count. Longer texts are not queries. */
const maxTerms = 64;

export class TermLookup {
  constructor(
    private readonly splitter: TermSplitter,
    private readonly firsts: readonly string[],
    private readonly shards: Shards<WordShard>,
    private readonly vocabulary: Vocabulary,
    private readonly little: ReadonlySet<string>,
  ) {}

  /** The words of a query that the site has. `problem`: why misspelt words are missing. */
  async lookUp(text: string): Promise<{ terms: QueryTerm[]; problem: string | undefined }> {
    const found = new Map<string, Promise<QueryTerm>>();
    const terms = this.tellingTerms(text);
    const lastWord = terms.filter(({ kind }) => kind === 'word').at(-1);
    for (const each of terms) {
      if (found.has(each.term)) continue;
      const word = text.slice(each.start, each.end);
      // Someone who types a space or a sign has ended the word.
      const isTyped = each === lastWord && each.end === text.length;
      found.set(
        each.term,
        each.kind === 'word'
          ? this.word(each.term, word, isTyped)
          : this.exact(each.term, each.kind === 'name' ? nameWeight : partWeight),
      );
    }
    const all = await Promise.all(found.values());
    return {
      terms: all.filter(({ variants }) => variants.length > 0),
      problem: all.find(({ problem }) => problem)?.problem,
    };
  }

  /** Little words count only where there is nothing else, or while the last one may become another. */
  private tellingTerms(text: string): Term[] {
    const terms = this.splitter.termsOf(text).slice(0, maxTerms);
    const telling = terms.filter(({ start, end }) => {
      const isLittle = this.little.has(text.slice(start, end).toLowerCase());
      return !isLittle || (end === text.length && terms.length > 1);
    });
    return telling.length > 0 ? telling : terms;
  }

  private async exact(term: string, weight: number): Promise<QueryTerm> {
    const entry = await this.entryOf(term);
    return { term, variants: entry ? [{ entry, weight }] : [] };
  }

  private async word(term: string, written: string, isTyped: boolean): Promise<QueryTerm> {
    const variants: QueryTerm['variants'] = [];
    const entry = await this.entryOf(term);
    if (entry) variants.push({ entry, weight: 1 });
    if (isTyped) await this.complete(term, written, variants);
    if (variants.length > 0) return { term, variants };
    try {
      await this.correct(written, variants);
    } catch (error) {
      // The other words answer.
      if (!(error instanceof QuintetError)) throw error;
      return { term, variants: [], problem: error.message };
    }
    return { term, variants };
  }

  private async entryOf(term: string): Promise<TermEntry | undefined> {
    return (await this.shardOf(term))?.get(term);
  }

  private async shardOf(term: string): Promise<WordShard | undefined> {
    const file = fileAt(this.firsts, term);
    return file < 0 ? undefined : this.shards.get(file);
  }

  /** Adds the most frequent terms that begin with a word, among those of its file. */
  private async complete(term: string, written: string, variants: QueryTerm['variants']): Promise<void> {
    const prefix = wordsOf(written).at(-1) ?? term;
    if (prefix.length < 2) return;
    const shard = await this.shardOf(prefix);
    const others = shard?.startingWith(prefix).filter((entry) => entry.term !== term) ?? [];
    others.sort((a, b) => b.frequency - a.frequency);
    for (const entry of others.slice(0, maxCompletions)) variants.push({ entry, weight: completionWeight });
    if (variants.length > 0) return;
    const beginning = shard?.beginningOf(prefix, Math.max(minBeginning, Math.ceil(prefix.length / 2)));
    if (beginning) variants.push({ entry: beginning, weight: completionWeight });
  }

  private async correct(written: string, variants: QueryTerm['variants']): Promise<void> {
    const [word] = wordsOf(written);
    if (!word) return;
    for (const { word: meant, edits } of await this.vocabulary.near(word)) {
      const [term] = this.splitter.termsOf(meant);
      const entry = term && (await this.entryOf(term.term));
      if (entry && !variants.some((variant) => variant.entry === entry)) {
        variants.push({ entry, weight: editWeights[edits]! });
      }
    }
  }
}
