// Searches the index of a site in the thread that calls it.

import { siteFiles } from '#platform/site_files';
import { abortable } from '../../base/abort.js';
import { checkText } from '../../base/arguments.js';
import { closedError } from '../../base/errors.js';
import { manifestName } from '../format/files.js';
import type { OpenSiteOptions, Site, SiteHit, SiteSearchOptions } from '../types.js';
import { LanguageReader } from './language_reader.js';
import { chooseLanguage, readManifest } from './manifest.js';
import { checkSearchOptions } from './search_options.js';
import { SiteFolder } from './site_folder.js';

export class SiteReader implements Site {
  problem: string | undefined;

  private isClosed = false;

  private constructor(
    private readonly folder: SiteFolder,
    private readonly language: LanguageReader | undefined,
  ) {}

  static async open(location: string | URL, { lang = '', signal }: OpenSiteOptions = {}): Promise<SiteReader> {
    const folder = new SiteFolder(siteFiles.folderOf(location));
    const opening = async () => {
      const { languages } = readManifest(await folder.read(manifestName));
      const entry = chooseLanguage(languages, lang);
      return new SiteReader(folder, entry && (await LanguageReader.open(folder, entry)));
    };
    try {
      return await abortable(opening(), signal);
    } catch (error) {
      folder.close();
      throw error;
    }
  }

  async search(text: string, options: SiteSearchOptions = {}): Promise<SiteHit[]> {
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
