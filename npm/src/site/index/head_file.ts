// Writes the data that a reader needs before anything else: where pages begin among the sections, and the contents of
// each file.

import { begin, type FolderWriter } from './stored_file.js';
import type { TextFileStart } from './text_files.js';
import type { VocabularyFirsts } from './vocabulary_files.js';

export interface Head {
  /** Number of sections of each page. */
  sectionCounts: readonly number[];
  words: readonly string[];
  vocabulary: VocabularyFirsts;
  texts: readonly TextFileStart[];
}

export async function writeHead(
  { sectionCounts, words, vocabulary, texts }: Head,
  folder: FolderWriter,
): Promise<void> {
  const content = begin('head', 0);
  content.number(sectionCounts.length);
  for (const count of sectionCounts) content.number(count);
  for (const firsts of [words, vocabulary.forward, vocabulary.backward]) {
    content.number(firsts.length);
    let before = '';
    for (const first of firsts) {
      content.textAfter(before, first);
      before = first;
    }
  }
  content.number(texts.length);
  let before = 0;
  for (const { section, isInside } of texts) {
    content.number(2 * (section - before) + (isInside ? 1 : 0));
    before = section;
  }
  await folder.content('head', 0, content);
}
