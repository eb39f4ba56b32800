// Searches the index of a site in the thread that calls it.

import { siteFiles } from '#platform/site_files';
import { abortable } from '../../base/abort.js';
import { checkText } from '../../base/arguments.js';
import { closedError } from '../../base/errors.js';
import type { EmbedderEntry } from '../format/files.js';
import { manifestName } from '../format/files.js';
import type { OpenSiteOptions, Site, SiteHit } from '../types.js';
import { LanguageReader } from './language_reader.js';
import { chooseLanguage, readManifest } from './manifest.js';
import { checkSearchOptions, type SearchRequest } from './search_options.js';
import { SiteFolder } from './site_folder.js';

/** A site that is searched with vectors of queries from any source. */
export interface SearchedSite extends Omit<Site, 'loadEmbedder'> {
  search(text: string, options?: SearchRequest): Promise<SiteHit[]>;
  /** Embeds queries for the language that is searched; undefined if it has no vectors of an embedder. */
  readonly embedder: EmbedderEntry | undefined;
}

export class SiteReader implements SearchedSite {
  problem: string | undefined;

  private isClosed = false;

  private constructor(
    private readonly folder: SiteFolder,
    private readonly language: LanguageReader | undefined,
    readonly embedder: EmbedderEntry | undefined,
  ) {}

  static async open(location: string | URL, { lang = '', signal }: OpenSiteOptions = {}): Promise<SiteReader> {
    const folder = new SiteFolder(siteFiles.folderOf(location));
    const opening = async () => {
      const { languages, embedder } = readManifest(await folder.read(manifestName));
      const entry = chooseLanguage(languages, lang);
      const language = entry && (await LanguageReader.open(folder, entry));
      return new SiteReader(folder, language, entry?.embedded && embedder);
    };
    try {
      return await abortable(opening(), signal);
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  async search(text: string, options: SearchRequest = {}): Promise<SiteHit[]> {
    if (this.isClosed) throw closedError();
    const checked = checkText(text);
    checkSearchOptions(options);
    if (!this.language) return [];
    const { hits, problem } = await abortable(this.language.search(checked, options), options.signal);
    this.problem = problem;
    return hits;
  }

  async filters(): Promise<Record<string, Record<string, number>>> {
    if (this.isClosed) throw closedError();
    return this.language ? this.language.filters() : {};
  }

  get bytes(): number {
    return this.folder.bytes;
  }

  close(): void {
    this.isClosed = true;
    this.folder.close();
  }
}
