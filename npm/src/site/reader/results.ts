// Makes results of ranked pages: loads their texts, and finds the words of the query in them.

import { yieldIfDue } from '../../base/event_loop.js';
import { damaged } from '../format/files.js';
import type { SiteExcerpt, SiteHit, SiteSectionHit } from '../types.js';
import type { TermSplitter } from '../words/terms.js';
import { excerptOf, type FoundWord, weightOf } from './excerpt.js';
import type { Head } from './head.js';
import type { RankedPage, RankedSection } from './page_ranking.js';
import { hasPhrase, wordsIn } from './phrase.js';
import { nearPassageWeight, phraseBonus } from './ranking.js';
import { fileAt, type Shards } from './shards.js';
import type { TextSection } from './text_file.js';

/** Files of texts that the passages of a section are looked for in. */
const maxTextFiles = 3;

/** The terms to find in the texts. */
export interface QueryWords {
  /** The weight of each term. */
  weights: ReadonlyMap<string, number>;
  /** All words of the query, in their order. */
  phrase: readonly string[];
}

export class Results {
  constructor(
    private readonly head: Head,
    private readonly splitter: TermSplitter,
    private readonly texts: Shards<Map<number, TextSection>>,
  ) {}

  /** In the order of the pages, with scores that count phrases too. */
  of(pages: readonly RankedPage[], query: QueryWords): Promise<SiteHit[]> {
    return Promise.all(pages.map((page) => this.hitOf(page, query)));
  }

  private async hitOf({ score, sections }: RankedPage, query: QueryWords): Promise<SiteHit> {
    const found = await Promise.all(
      sections.map(async (ranked) => ({ ranked, text: await this.textOf(ranked.section) })),
    );
    const { url, title, meta } = found[0]!.text.page;
    const hits: SiteSectionHit[] = [];
    for (const { ranked, text } of found) {
      hits.push(this.sectionHit(ranked, text, query));
      await yieldIfDue();
    }
    const bonus = hits.reduce((most, hit, i) => Math.max(most, hit.score - sections[i]!.score), 0);
    hits.sort((a, b) => b.score - a.score);
    return { url, title, score: score + bonus, meta, excerpt: hits[0]!.excerpt, sections: hits };
  }

  private sectionHit({ score, passage: near }: RankedSection, section: TextSection, query: QueryWords): SiteSectionHit {
    const title = section.title || section.page.title;
    let isPhrase = hasPhrase(wordsIn(this.splitter.termsOf(title)), query.phrase);
    let best: { text: string; found: FoundWord[]; weight: number } | undefined;
    for (const { text, number } of section.passages) {
      const terms = this.splitter.termsOf(text);
      isPhrase ||= hasPhrase(wordsIn(terms), query.phrase);
      const found = terms.flatMap(({ term, start, end }): FoundWord[] => {
        const weight = query.weights.get(term);
        return weight === undefined ? [] : [{ term, weight, start, end }];
      });
      const weight = weightOf(found) + (number === near ? nearPassageWeight : 0);
      if (!best || weight > best.weight) best = { text, found, weight };
    }
    best?.found.sort((a, b) => a.start - b.start || a.end - b.end);
    const excerpt: SiteExcerpt = best ? excerptOf(best.text, best.found) : { text: '', marks: [] };
    return { anchor: section.anchor, title: section.title, score: score + (isPhrase ? phraseBonus : 0), excerpt };
  }

  /** A section with its passages, of which the files that it spans have some each. */
  private async textOf(section: number): Promise<TextSection> {
    const { textSections, textInside } = this.head;
    const last = fileAt(textSections, section);
    let first = last;
    while (first > 0 && textSections[first] === section && textInside[first]) first -= 1;
    const files: Promise<Map<number, TextSection>>[] = [];
    for (let file = first; file <= Math.min(last, first + maxTextFiles - 1); ++file) files.push(this.texts.get(file));
    const parts = (await Promise.all(files)).flatMap((file) => file.get(section) ?? []);
    const [one] = parts;
    if (!one) throw damaged(`section ${section} has no text`);
    return { ...one, passages: parts.flatMap(({ passages }) => passages) };
  }
}
