// Collects the pages of a language, and writes its index.

import { type WordRange, wordRangesOf } from '../../search/keywords/words.js';
import type { LanguageEntry } from '../format/files.js';
import type { PassageModel } from '../model/passage_model.js';
import type { WordModel } from '../model/word_model.js';
import type { SitePage, SiteSection } from '../page.js';
import { loadStemmer } from '../words/stems.js';
import { TermSplitter } from '../words/terms.js';
import { EmbeddedPassages } from './embedded_passages.js';
import { FilterFile } from './filter_file.js';
import { writeHead } from './head_file.js';
import { Lexicon } from './lexicon.js';
import { PageTitles } from './page_titles.js';
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
  private readonly sectionCounts: number[] = [];
  private sections = 0;
  private passages = 0;

  private constructor(
    readonly lang: string,
    private readonly splitter: TermSplitter,
    private readonly lexicon: Lexicon,
    private readonly vectors: VectorTable | undefined,
    private readonly embedded: EmbeddedPassages | undefined,
  ) {}

  /** Without models, pages are found by words alone. */
  static async create(
    lang: string,
    model: WordModel | undefined,
    embedder: PassageModel | undefined,
  ): Promise<LanguageWriter> {
    const splitter = new TermSplitter(await loadStemmer(lang));
    const lexicon = new Lexicon();
    return new LanguageWriter(
      lang,
      splitter,
      lexicon,
      model && new VectorTable(model, lexicon),
      embedder && new EmbeddedPassages(embedder),
    );
  }

  get pages(): number {
    return this.sectionCounts.length;
  }

  async add(page: SitePage): Promise<void> {
    this.texts.add(page, this.pages, this.sections);
    this.filters.add(page, this.pages);
    const titles = new PageTitles(this.splitter, this.lexicon);
    const words: number[][][] = [];
    for (const section of page.sections) {
      const ranges = section.passages.map(({ text }) => wordRangesOf(text));
      this.terms.add(this.termsOf(page, section, ranges, titles));
      words.push(ranges.map((passage) => passage.map(({ word }) => this.lexicon.count(word))));
    }
    await this.addMeaning(page, words, titles);
    await this.embedded?.add(page, this.sections);
    this.passages += page.sections.reduce((sum, { passages }) => sum + passages.length, 0);
    this.sections += page.sections.length;
    this.sectionCounts.push(page.sections.length);
  }

  async write(folder: FolderWriter, name: string): Promise<LanguageEntry> {
    const computing = this.vectors?.files();
    // It fails where it is awaited.
    computing?.catch(() => {});
    const words = await writeWords(this.terms, folder);
    const vocabulary = await writeVocabulary(this.lexicon, folder);
    await this.texts.write(folder);
    const { sectionCounts } = this;
    await writeHead({ sectionCounts, words, vocabulary, texts: this.texts.starts }, folder);
    const hasFilters = await this.filters.write(folder);
    const { entry: vectors, files = [] } = (await computing) ?? {};
    for (const { kind, number, bytes } of files) await folder.bytes(kind, number, bytes);
    const embedded = await this.embedded?.write(folder);
    return {
      lang: this.lang,
      folder: name,
      pages: this.pages,
      sections: this.sections,
      passages: this.passages,
      hasFilters,
      ...(vectors && { vectors }),
      ...(embedded && { embedded }),
    };
  }

  /** `texts`: the words of the passages of each section. */
  private async addMeaning(
    { title, sections }: SitePage,
    texts: readonly number[][][],
    titles: PageTitles,
  ): Promise<void> {
    if (!this.vectors) return;
    for (const [i, section] of sections.entries()) {
      // A title that is repeated above its sections adds nothing.
      const above = [...new Set([title, ...section.trail, section.title])];
      const words = above.flatMap((each) => titles.of(each).words);
      await this.vectors.add(this.sections + i, words, texts[i]!);
    }
  }

  /** `words`: of each passage. */
  private termsOf(
    page: SitePage,
    section: SiteSection,
    words: readonly (readonly WordRange[])[],
    titles: PageTitles,
  ): SectionTerms {
    const text = new Map<string, number>();
    let length = 0;
    for (const [i, passage] of section.passages.entries()) {
      for (const { term, kind } of this.splitter.termsOf(passage.text, words[i])) {
        text.set(term, (text.get(term) ?? 0) + passage.weight);
        if (kind === 'word') length += 1;
      }
    }
    // Text before the first heading is found by the title of the page.
    const ownTitle = titles.of(section.title || page.title).terms;
    const above = section.title ? [page.title, ...section.trail] : [];
    return {
      text,
      length,
      title: new Set(ownTitle.map(({ term }) => term)),
      titleLength: ownTitle.filter(({ kind }) => kind === 'word').length,
      trail: new Set(above.flatMap((title) => titles.of(title).terms.map(({ term }) => term))),
    };
  }
}
