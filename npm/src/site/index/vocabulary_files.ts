// Writes the words by their beginnings and, reversed, by their ends. One of the two is usually right in a misspelt
// word, so a reader finds corrections in a few of these files.

import type { Lexicon } from './lexicon.js';
import { begin, type FolderWriter } from './stored_file.js';

/** Words of a file: some kilobytes. */
const fileWords = 2_000;
const minLength = 3;
const maxLength = 32;

/** The first word of each file: first of the files by beginnings, then of those by ends. */
export interface VocabularyFirsts {
  forward: string[];
  backward: string[];
}

/** Writes those of the lexicon that texts have. */
export async function writeVocabulary(lexicon: Lexicon, folder: FolderWriter): Promise<VocabularyFirsts> {
  const entries = lexicon.words
    .map((word, number): Entry => [word, lexicon.countOf(number)])
    .filter(
      ([word, count]) => count > 0 && word.length >= minLength && word.length <= maxLength && /\p{L}/u.test(word),
    );
  const forward = await writeSorted(sorted(entries), 0, folder);
  const reversed = entries.map(([word, count]): Entry => [reverse(word), count]);
  const backward = await writeSorted(sorted(reversed), forward.length, folder);
  return { forward, backward };
}

type Entry = [word: string, count: number];

const sorted = (entries: Entry[]) => entries.sort(([a], [b]) => (a < b ? -1 : 1));

/** The characters from the last to the first. */
export const reverse = (word: string): string => [...word].reverse().join('');

async function writeSorted(entries: readonly Entry[], firstFile: number, folder: FolderWriter): Promise<string[]> {
  const firsts: string[] = [];
  for (let at = 0; at < entries.length; at += fileWords) {
    const part = entries.slice(at, at + fileWords);
    const number = firstFile + firsts.length;
    const content = begin('vocabulary', number);
    content.number(part.length);
    let before = '';
    for (const [word] of part) {
      content.textAfter(before, word);
      before = word;
    }
    for (const [, count] of part) content.byte(Math.floor(Math.log2(count)));
    await folder.content('vocabulary', number, content);
    firsts.push(part[0]![0]);
  }
  return firsts;
}
