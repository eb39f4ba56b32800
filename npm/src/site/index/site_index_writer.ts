// Writes the index of a site: one for each language, and a manifest.

import { createHash } from 'node:crypto';

import {
  type EmbedderEntry,
  formatName,
  formatVersion,
  type LanguageEntry,
  type Manifest,
  manifestName,
} from '../format/files.js';
import type { PassageModel } from '../model/passage_model.js';
import type { WordModel } from '../model/word_model.js';
import type { SitePage } from '../page.js';
import { LanguageWriter } from './language_writer.js';
import { FolderWriter, type WriteFile } from './stored_file.js';

export interface SiteIndexOptions {
  /** The language of pages that do not declare theirs (BCP 47); 'en' by default. */
  lang?: string;
  /** Makes the vectors; pages are found by words alone without it. */
  model?: WordModel | undefined;
  /** The languages that it supports, without regions; all by default. Pages in others are found by words alone. */
  modelLanguages?: readonly string[] | undefined;
  /** Makes vectors of whole passages, for pages that load it; none by default. */
  embedder?: PassageModel | undefined;
  /** Like `modelLanguages`. */
  embedderLanguages?: readonly string[] | undefined;
}

/** The files written. */
export interface WrittenIndex {
  /** Most pages first. */
  languages: LanguageEntry[];
}

export class SiteIndexWriter {
  private readonly languages = new Map<string, LanguageWriter>();
  private readonly hashes = new Map<string, ReturnType<typeof createHash>>();

  constructor(private readonly options: SiteIndexOptions = {}) {}

  /** Adds a page. Pages without sections are found by nothing, and left out. */
  async add(page: SitePage): Promise<void> {
    if (page.sections.length === 0) return;
    const lang = page.lang || (this.options.lang ?? 'en');
    const primary = lang.split('-')[0]!;
    const { modelLanguages = [primary], embedderLanguages = [primary] } = this.options;
    const model = modelLanguages.includes(primary) ? this.options.model : undefined;
    const embedder = embedderLanguages.includes(primary) ? this.options.embedder : undefined;
    let language = this.languages.get(lang);
    if (!language) {
      language = await LanguageWriter.create(lang, model, embedder);
      this.languages.set(lang, language);
      this.hashes.set(
        lang,
        createHash('sha256').update(`${formatVersion} ${model?.fingerprint} ${embedder?.fingerprint}`),
      );
    }
    this.hashes.get(lang)!.update(JSON.stringify(page));
    await language.add(page);
  }

  /**
   * Writes the index. The same pages in the same order give the same bytes. A language's files are in a folder that is
   * named after its content, so a browser may keep them; the manifest alone keeps its name.
   * @param embedder How pages load the embedder
   */
  async finish(write: WriteFile, embedder?: EmbedderEntry): Promise<WrittenIndex> {
    const languages: LanguageEntry[] = [];
    for (const [lang, language] of this.languages) {
      const name = `${folderPart(lang)}-${this.hashes.get(lang)!.digest('hex').slice(0, 12)}`;
      languages.push(await language.write(new FolderWriter(name, write), name));
    }
    languages.sort((a, b) => b.pages - a.pages || (a.lang < b.lang ? -1 : 1));
    const isEmbedded = languages.some(({ embedded }) => embedded);
    const manifest: Manifest = {
      format: formatName,
      version: formatVersion,
      ...(embedder && isEmbedded && { embedder }),
      languages,
    };
    await write(manifestName, new TextEncoder().encode(`${JSON.stringify(manifest, null, 1)}\n`));
    return { languages };
  }
}

/** Tags of languages come from pages, and not all of them are names of folders. */
const folderPart = (lang: string): string => lang.replace(/[^a-z0-9]+/gi, '-').slice(0, 20) || 'any';
