// Searches the index of a language.

import { yieldIfDue } from '../../base/event_loop.js';
import type { LanguageEntry } from '../format/files.js';
import type { SiteHit, SiteSectionHit } from '../types.js';
import { littleWords } from '../words/little_words.js';
import { loadStemmer } from '../words/stems.js';
import { TermSplitter } from '../words/terms.js';
import { excerptOf, type FoundWord, weightOf } from './excerpt.js';
import { type Head, readHead } from './head.js';
import { Meaning } from './meaning.js';
import { type RankedPage, rankPages } from './page_ranking.js';
import { type QueryTerm, TermLookup } from './query_terms.js';
import { fileAt, Shards } from './shards.js';
import type { SiteFolder } from './site_folder.js';
import { readTexts, type TextPassage, type TextSection } from './text_file.js';
import { readVocabulary, Vocabulary } from './vocabulary.js';
import { rarity, scoreWords } from './word_scores.js';
import { WordShard } from './word_shard.js';

/** What the passage nearest in meaning is worth beside the words of others. */
const nearPassageBonus = 2;
/** Files of texts that the passages of a section are looked for in. */
const maxTextFiles = 3;

export class LanguageReader {
  private readonly texts: Shards<Map<number, TextSection>>;
  private readonly lookup: TermLookup;
  private readonly meaning: Meaning | undefined;

  private constructor(
    private readonly head: Head,
    private readonly splitter: TermSplitter,
    folder: SiteFolder,
    entry: LanguageEntry,
  ) {
    const { folder: name, vectors } = entry;
    const words = new Shards(async (n) => WordShard.read(await folder.open(name, 'words', n), head.sections));
    const vocabulary = new Shards(async (n) => readVocabulary(await folder.open(name, 'vocabulary', n)));
    this.texts = new Shards(async (n) => readTexts(await folder.open(name, 'texts', n)));
    const near = new Vocabulary(head.forward, head.backward, vocabulary);
    this.meaning = vectors && new Meaning(folder, entry, vectors);
    this.lookup = new TermLookup(splitter, head.words, words, near, littleWords(entry.lang));
  }

  static async open(folder: SiteFolder, entry: LanguageEntry): Promise<LanguageReader> {
    const [stemmer, head] = await Promise.all([loadStemmer(entry.lang), readHead(folder, entry)]);
    return new LanguageReader(head, new TermSplitter(stemmer), folder, entry);
  }

  /** The k best pages, by words alone or also by meaning. */
  async search(text: string, k: number, mode: 'keyword' | 'hybrid'): Promise<SiteHit[]> {
    const meaning = mode === 'hybrid' ? this.meaning : undefined;
    const [terms, passages] = await Promise.all([this.lookup.lookUp(text), meaning?.near(text) ?? []]);
    const scores = scoreWords(terms, this.head.sections);
    await yieldIfDue();
    const pages = rankPages(scores, passages, this.head, k);
    const weights = this.weightsOf(terms);
    return Promise.all(pages.map((page) => this.hitOf(page, weights)));
  }

  /** How much each term of the index that the query stands for says. */
  private weightsOf(terms: readonly QueryTerm[]): Map<string, number> {
    const weights = new Map<string, number>();
    for (const { variants } of terms) {
      for (const { entry, weight } of variants) {
        const rare = weight * rarity(entry.frequency, this.head.sections);
        weights.set(entry.term, Math.max(rare, weights.get(entry.term) ?? 0));
      }
    }
    return weights;
  }

  private async hitOf({ score, sections }: RankedPage, weights: ReadonlyMap<string, number>): Promise<SiteHit> {
    const found = await Promise.all(sections.map(async (each) => ({ ...each, ...(await this.textOf(each.section)) })));
    const { url, title, meta } = found[0]!.page;
    const hits: SiteSectionHit[] = [];
    for (const section of found) {
      const { anchor, score: sectionScore } = section;
      hits.push({
        anchor,
        title: section.title,
        score: sectionScore,
        excerpt: this.excerptOf(section.passages, weights, section.passage),
      });
      await yieldIfDue();
    }
    return { url, title, score, meta, excerpt: hits[0]!.excerpt, sections: hits };
  }

  /** A section with its passages, of which the files that it spans may have some each. */
  private async textOf(section: number): Promise<TextSection> {
    const { textSections, textInside } = this.head;
    let last = fileAt(textSections, section);
    let first = last;
    while (first > 0 && textSections[first] === section && textInside[first]) first -= 1;
    last = Math.min(last, first + maxTextFiles - 1);
    const files: Promise<Map<number, TextSection>>[] = [];
    for (let file = first; file <= last; ++file) files.push(this.texts.get(file));
    const parts = (await Promise.all(files)).flatMap((file) => file.get(section) ?? []);
    const [one] = parts;
    if (!one) throw new RangeError(`section ${section} has no text`);
    return { ...one, passages: parts.flatMap(({ passages }) => passages) };
  }

  /** `near`: the passage that is nearest in meaning, which counts where none has more of the words. */
  private excerptOf(passages: readonly TextPassage[], weights: ReadonlyMap<string, number>, near?: number) {
    let best: { text: string; found: FoundWord[]; weight: number } | undefined;
    for (const { text, number } of passages) {
      const found = this.splitter.termsOf(text).flatMap(({ term, start, end }): FoundWord[] => {
        const weight = weights.get(term);
        return weight === undefined ? [] : [{ term, weight, start, end }];
      });
      found.sort((a, b) => a.start - b.start || a.end - b.end);
      const weight = weightOf(found) + (number === near ? nearPassageBonus : 0);
      if (!best || weight > best.weight) best = { text, found, weight };
    }
    return best ? excerptOf(best.text, best.found) : { text: '', marks: [] };
  }
}
