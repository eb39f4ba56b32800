// Searches the index of a language.

import { QuintetError } from '../../base/errors.js';
import { yieldIfDue } from '../../base/event_loop.js';
import { damaged, type FileKind, type LanguageEntry } from '../format/files.js';
import type { SiteHit, SiteSearchOptions } from '../types.js';
import { littleWords } from '../words/little_words.js';
import { loadStemmer } from '../words/stems.js';
import { TermSplitter } from '../words/terms.js';
import { chosenPages, countsOf, type FilterTable, orderBy, readFilters } from './filters.js';
import { type Head, readHead } from './head.js';
import { Meaning } from './meaning.js';
import { rankPages, type Wanted } from './page_ranking.js';
import { type NearPassage, PassageClusters } from './passage_clusters.js';
import { wordsIn } from './phrase.js';
import { type QueryTerm, TermLookup } from './query_terms.js';
import { embedderWeight, meaningWeight } from './ranking.js';
import { Results } from './results.js';
import type { SearchRequest } from './search_options.js';
import { Shards } from './shards.js';
import type { SiteFolder } from './site_folder.js';
import { readTexts } from './text_file.js';
import { readVocabulary, Vocabulary } from './vocabulary.js';
import { rarity, scoreWords } from './word_scores.js';
import { WordShard } from './word_shard.js';

export interface Answer {
  hits: SiteHit[];
  /** Why the meaning is missing. */
  problem: string | undefined;
}

const embeddedKinds = { centers: 'embeddedCenters', cluster: 'embeddedCluster' } as const;

export class LanguageReader {
  private readonly results: Results;
  private readonly lookup: TermLookup;
  private readonly meaning: Meaning | undefined;
  private readonly embedded: PassageClusters | undefined;
  private readonly filterTables: Shards<FilterTable>;
  private readonly hasFilters: boolean;

  private constructor(
    private readonly head: Head,
    private readonly splitter: TermSplitter,
    folder: SiteFolder,
    private readonly entry: LanguageEntry,
  ) {
    const { folder: name, vectors, embedded, sections } = entry;
    const open = (kind: FileKind, number: number) => folder.open(name, kind, number);
    const words = new Shards(async (n) => WordShard.read(await open('words', n), head.sections));
    const vocabulary = new Shards(async (n) => readVocabulary(await open('vocabulary', n)));
    const texts = new Shards(async (n) => readTexts(await open('texts', n)));
    this.results = new Results(head, splitter, texts);
    const near = new Vocabulary(head.forward, head.backward, vocabulary);
    this.filterTables = new Shards(async (n) => readFilters(await open('filters', n), head.pages));
    this.hasFilters = entry.hasFilters;
    this.meaning = vectors && new Meaning(open, vectors, sections);
    this.embedded = embedded && new PassageClusters(open, embeddedKinds, embedded, sections);
    this.lookup = new TermLookup(splitter, head.words, words, near, littleWords(entry.lang));
  }

  static async open(folder: SiteFolder, entry: LanguageEntry): Promise<LanguageReader> {
    const [stemmer, head] = await Promise.all([loadStemmer(entry.lang), readHead(folder, entry)]);
    return new LanguageReader(head, new TermSplitter(stemmer), folder, entry);
  }

  /** The pages that answer. The options are already checked. */
  async search(text: string, { k = 10, mode = 'hybrid', filters, sort, vector }: SearchRequest): Promise<Answer> {
    const isHybrid = mode === 'hybrid';
    const [{ terms, problem }, near, embedded, wanted] = await Promise.all([
      this.lookup.lookUp(text),
      found(isHybrid && this.meaning?.near(text)),
      found(isHybrid && vector && this.nearVector(vector)),
      this.wanted(k, filters, sort),
    ]);
    const scores = scoreWords(terms, this.head.sections);
    await yieldIfDue();
    const meant = [
      { passages: near.passages, weight: meaningWeight },
      { passages: embedded.passages, weight: embedderWeight },
    ];
    const pages = rankPages(scores, meant, this.head, wanted);
    const phrase = wordsIn(this.splitter.termsOf(text));
    const hits = await this.results.of(pages, { weights: this.weightsOf(terms), phrase });
    if (!wanted.places) hits.sort((a, b) => b.score - a.score);
    return { hits, problem: near.problem ?? embedded.problem ?? problem };
  }

  /** The passages nearest to the embedder's vector of the query. */
  private async nearVector(vector: Float32Array): Promise<NearPassage[]> {
    const { embedded } = this.entry;
    if (!embedded || !this.embedded) return [];
    if (vector.length === embedded.dimension) return this.embedded.near(vector);
    throw damaged(`the embedder gives ${vector.length} values, the index has vectors of ${embedded.dimension}`);
  }

  async filters(): Promise<Record<string, Record<string, number>>> {
    const table = await this.table();
    return table ? countsOf(table) : {};
  }

  private async table(): Promise<FilterTable | undefined> {
    return this.hasFilters ? this.filterTables.get(0) : undefined;
  }

  private async wanted(
    k: number,
    filters: SiteSearchOptions['filters'] = {},
    sort: SiteSearchOptions['sort'] = {},
  ): Promise<Wanted> {
    const [by] = Object.entries(sort);
    const { pages } = this.head;
    if (!by && Object.keys(filters).length === 0) return { k };
    const table = (await this.table()) ?? { filters: new Map(), sorts: new Map() };
    const wanted: Wanted = { k, chosen: chosenPages(table, filters, pages) };
    if (by) wanted.places = orderBy(table, ...by, pages);
    return wanted;
  }

  /** The weight of each term of the index that the query stands for. */
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
}

/** Words answer where a file of the vectors is missing or damaged. */
async function found(
  searching: Promise<NearPassage[]> | false | undefined,
): Promise<{ passages: NearPassage[]; problem?: string }> {
  try {
    return { passages: (await searching) || [] };
  } catch (error) {
    if (error instanceof QuintetError) return { passages: [], problem: error.message };
    throw error;
  }
}
