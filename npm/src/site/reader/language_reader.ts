// Searches the index of a language.

import { yieldIfDue } from '../../base/event_loop.js';
import { TopK } from '../../search/top_k.js';
import type { LanguageEntry } from '../format/files.js';
import type { SiteHit, SiteSectionHit } from '../types.js';
import { loadStemmer } from '../words/stems.js';
import { TermSplitter } from '../words/terms.js';
import { excerptOf, type FoundWord, weightOf } from './excerpt.js';
import { type Head, readHead } from './head.js';
import { type QueryTerm, TermLookup } from './query_terms.js';
import { maxSections, minSectionShare, otherSectionsShare } from './ranking.js';
import { fileAt, Shards } from './shards.js';
import type { SiteFolder } from './site_folder.js';
import { readTexts, type TextPassage, type TextSection } from './text_file.js';
import { readVocabulary, Vocabulary } from './vocabulary.js';
import { rarity, scoreWords } from './word_scores.js';
import { WordShard } from './word_shard.js';

/** Files of texts that the passages of a section are looked for in. */
const maxTextFiles = 3;

/** A page that answers, and its sections, best first. */
interface RankedPage {
  page: number;
  score: number;
  sections: { section: number; score: number }[];
}

export class LanguageReader {
  private readonly texts: Shards<Map<number, TextSection>>;
  private readonly lookup: TermLookup;

  private constructor(
    private readonly head: Head,
    private readonly splitter: TermSplitter,
    folder: SiteFolder,
    { folder: name }: LanguageEntry,
  ) {
    const words = new Shards(async (n) => WordShard.read(await folder.open(name, 'words', n), head.sections));
    const vocabulary = new Shards(async (n) => readVocabulary(await folder.open(name, 'vocabulary', n)));
    this.texts = new Shards(async (n) => readTexts(await folder.open(name, 'texts', n)));
    const near = new Vocabulary(head.forward, head.backward, vocabulary);
    this.lookup = new TermLookup(splitter, head.words, words, near);
  }

  static async open(folder: SiteFolder, entry: LanguageEntry): Promise<LanguageReader> {
    const [stemmer, head] = await Promise.all([loadStemmer(entry.lang), readHead(folder, entry)]);
    return new LanguageReader(head, new TermSplitter(stemmer), folder, entry);
  }

  /** The k best pages. */
  async search(text: string, k: number): Promise<SiteHit[]> {
    const terms = await this.lookup.lookUp(text);
    if (terms.length === 0) return [];
    const scores = scoreWords(terms, this.head.sections);
    await yieldIfDue();
    const pages = this.rankPages(scores, k);
    const weights = this.weightsOf(terms);
    return Promise.all(pages.map((page) => this.hitOf(page, weights)));
  }

  private rankPages(scores: Float32Array, k: number): RankedPage[] {
    const { pageOf, firstSections, pages } = this.head;
    const best = new Float32Array(pages);
    const sums = new Float32Array(pages);
    scores.forEach((score, section) => {
      if (score === 0) return;
      const page = pageOf[section]!;
      best[page] = Math.max(best[page]!, score);
      sums[page]! += score;
    });
    const top = new TopK(k);
    best.forEach((score, page) => {
      if (score > 0) top.offer(score + otherSectionsShare * (sums[page]! - score) ** 0.5, page, page);
    });
    return top.ranked().map(({ slot: page, score }) => {
      const first = firstSections[page]!;
      const sections = [...scores.subarray(first, firstSections[page + 1] ?? scores.length)]
        .map((each, i) => ({ section: first + i, score: each }))
        .filter((each) => each.score >= minSectionShare * best[page]!)
        .sort((a, b) => b.score - a.score || a.section - b.section);
      return { page, score, sections: sections.slice(0, maxSections) };
    });
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
        excerpt: this.excerptOf(section.passages, weights),
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

  private excerptOf(passages: readonly TextPassage[], weights: ReadonlyMap<string, number>) {
    let best: { text: string; found: FoundWord[]; weight: number } | undefined;
    for (const { text } of passages) {
      const found = this.splitter.termsOf(text).flatMap(({ term, start, end }): FoundWord[] => {
        const weight = weights.get(term);
        return weight === undefined ? [] : [{ term, weight, start, end }];
      });
      found.sort((a, b) => a.start - b.start || a.end - b.end);
      const weight = weightOf(found);
      if (!best || weight > best.weight) best = { text, found, weight };
    }
    return best ? excerptOf(best.text, best.found) : { text: '', marks: [] };
  }
}
