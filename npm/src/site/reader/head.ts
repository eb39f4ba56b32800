// The first files that a reader loads: the pages of the sections, and which file has what.

import type { LanguageEntry } from '../format/files.js';
import type { SiteFolder } from './site_folder.js';

export interface Head {
  sections: number;
  pages: number;
  /** The page of each section. */
  pageOf: Uint32Array;
  /** The first section of each page. */
  firstSections: Uint32Array;
  /** The first term of each file. */
  words: string[];
  /** The first word of each file: by beginnings, and reversed, by ends. */
  forward: string[];
  backward: string[];
  /** The section with which each file of texts begins, and whether inside of it. */
  textSections: Uint32Array;
  textInside: Uint8Array;
}

export async function readHead(folder: SiteFolder, entry: LanguageEntry): Promise<Head> {
  const reader = await folder.open(entry.folder, 'head', 0);
  const pages = reader.count('pages');
  const firstSections = new Uint32Array(pages);
  const pageOf = new Uint32Array(entry.sections);
  let sections = 0;
  for (let page = 0; page < pages; ++page) {
    const count = reader.atMost(entry.sections - sections, 'the number of sections');
    firstSections[page] = sections;
    pageOf.fill(page, sections, sections + count);
    sections += count;
  }
  if (sections !== entry.sections || pages !== entry.pages) {
    throw reader.broken(
      `it has ${pages} pages and ${sections} sections, the manifest ${entry.pages} and ${entry.sections}`,
    );
  }
  const firsts = () => {
    const values: string[] = [];
    for (let left = reader.count('files', 2); left > 0; --left) values.push(reader.textAfter(values.at(-1) ?? ''));
    return values;
  };
  const [words, forward, backward] = [firsts(), firsts(), firsts()];
  const texts = reader.count('files');
  const textSections = new Uint32Array(texts);
  const textInside = new Uint8Array(texts);
  let section = 0;
  for (let file = 0; file < texts; ++file) {
    const value = reader.number();
    section += Math.floor(value / 2);
    if (section >= sections) throw reader.broken('texts of a section that does not exist');
    textSections[file] = section;
    textInside[file] = value % 2;
  }
  reader.end();
  return { sections, pages, pageOf, firstSections, words, forward, backward, textSections, textInside };
}
