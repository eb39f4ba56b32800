// Collects the pages of a language, and writes its index.

import { wordsOf } from '../../search/keywords/words.js';
import type { LanguageEntry } from '../format/files.js';
import type { WordModel } from '../model/word_model.js';
import type { SitePage, SiteSection } from '../page.js';
import { loadStemmer } from '../words/stems.js';
import { TermSplitter } from '../words/terms.js';
import { FilterFile } from './filter_file.js';
import { writeHead } from './head_file.js';
import type { FolderWriter } from './stored_file.js';
import { type SectionTerms, TermTable } from './term_table.js';
import { TextFiles } from './text_files.js';
import { VectorTable } from './vector_table.js';
import { writeVocabulary } from './vocabulary_files.js';
import { writeWords } from './word_files.js';

export class LanguageWriter {
  private readonly terms = new TermTable();
  private readonly texts = new TextFiles();
  private readonly filters = new FilterFile();
  /** Words as they are written, and how often. */
  private readonly words = new Map<string, number>();
  private readonly sectionCounts: number[] = [];
  private sections = 0;
  private passages = 0;

  private constructor(
    readonly lang: string,
    private readonly splitter: TermSplitter,
    private readonly vectors: VectorTable | undefined,
  ) {}

  /** Without a model, pages are found by words alone. */
  static async create(lang: string, model: WordModel | undefined): Promise<LanguageWriter> {
    return new LanguageWriter(lang, new TermSplitter(await loadStemmer(lang)), model && new VectorTable(model));
  }

  get pages(): number {
    return this.sectionCounts.length;
  }

  async add(page: SitePage): Promise<void> {
    this.texts.add(page, this.pages, this.sections);
    this.filters.add(page, this.pages);
    for (const section of page.sections) this.terms.add(this.termsOf(page, section));
    await this.addMeaning(page);
    this.passages += page.sections.reduce((sum, { passages }) => sum + passages.length, 0);
    this.sections += page.sections.length;
    this.sectionCounts.push(page.sections.length);
  }

  async write(folder: FolderWriter, name: string): Promise<LanguageEntry> {
    const words = await writeWords(this.terms, folder);
    const vocabulary = await writeVocabulary(this.words, folder);
    await this.texts.write(folder);
    const { sectionCounts } = this;
    await writeHead({ sectionCounts, words, vocabulary, texts: this.texts.starts }, folder);
    const hasFilters = await this.filters.write(folder);
    const vectors = await this.vectors?.write(this.words, folder);
    return {
      lang: this.lang,
      folder: name,
      pages: this.pages,
      sections: this.sections,
      passages: this.passages,
      hasFilters,
      ...(vectors && { vectors }),
    };
  }

  private async addMeaning({ title, sections }: SitePage): Promise<void> {
    if (!this.vectors) return;
    const words = sections.map((section) => ({
      // A title that is repeated above its sections says nothing more.
      titles: [...new Set([title, ...section.trail, section.title])].flatMap(wordsOf),
      passages: section.passages.map(({ text }) => wordsOf(text)),
    }));
    await this.vectors.learn(words.flatMap(({ titles, passages }) => [titles, ...passages]).flat());
    for (const [i, { titles, passages }] of words.entries()) {
      for (const [number, text] of passages.entries()) this.vectors.add(this.sections + i, number, titles, text);
    }
  }

  private termsOf(page: SitePage, section: SiteSection): SectionTerms {
    const text = new Map<string, number>();
    let length = 0;
    for (const passage of section.passages) {
      for (const word of wordsOf(passage.text)) this.words.set(word, (this.words.get(word) ?? 0) + 1);
      for (const { term, kind } of this.splitter.termsOf(passage.text)) {
        text.set(term, (text.get(term) ?? 0) + passage.weight);
        if (kind === 'word') length += 1;
      }
    }
    // What stands before the first heading is found by the title of the page.
    const ownTitle = this.splitter.termsOf(section.title || page.title);
    const above = section.title ? [page.title, ...section.trail] : [];
    return {
      text,
      length,
      title: new Set(ownTitle.map(({ term }) => term)),
      titleLength: ownTitle.filter(({ kind }) => kind === 'word').length,
      trail: new Set(above.flatMap((title) => this.splitter.termsOf(title).map(({ term }) => term))),
    };
  }
}
