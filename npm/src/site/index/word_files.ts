// Writes the terms with their sections, in files of terms that follow each other.

import type { ByteWriter } from '../format/byte_writer.js';
import { begin, type FolderWriter } from './stored_file.js';
import type { TermPostings, TermTable } from './term_table.js';

/**
 * Bytes of a file before compression: a query loads one for most of its words. Large sites have larger files, so that
 * hosts can hold them: about `usualFiles`, until files are as large as they may be.
 */
const leastBytes = 4_000;
const mostBytes = 10_000;
const usualFiles = 1_000;
/** Lists of this many bytes get their own file, so that a query for a rare word next to them does not load them. */
const largeList = 3_000;

interface Entry extends TermPostings {
  term: string;
  bytes: number;
}

/** Returns the first term of each file. */
export async function writeWords(table: TermTable, folder: FolderWriter): Promise<string[]> {
  const firsts: string[] = [];
  const fileBytes = Math.min(mostBytes, Math.max(leastBytes, bytesOf(table.entries) / usualFiles));
  let waiting: Entry[] = [];
  let bytes = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    await folder.content('words', firsts.length, contentOf(waiting, firsts.length));
    firsts.push(waiting[0]!.term);
    [waiting, bytes] = [[], 0];
  };
  for (const term of table.terms()) {
    const postings = table.postingsOf(term);
    const entry = { term, ...postings, bytes: bytesOf(postings.sections.length) + 4 };
    if (entry.bytes >= largeList || bytes + entry.bytes > fileBytes) await flush();
    waiting.push(entry);
    bytes += entry.bytes;
    if (entry.bytes >= largeList) await flush();
  }
  await flush();
  return firsts;
}

/** A section mostly takes one byte, and its posting another. */
const bytesOf = (sections: number): number => 2 * sections;

/** The terms, then all their sections, then all their postings: similar bytes side by side compress best. */
function contentOf(entries: readonly Entry[], number: number): ByteWriter {
  const writer = begin('words', number);
  writer.number(entries.length);
  let before = '';
  for (const { term, frequency, sections } of entries) {
    writer.textAfter(before, term);
    writer.number(frequency);
    writer.number(frequency - sections.length);
    before = term;
  }
  for (const { sections } of entries) {
    let last = -1;
    for (const section of sections) {
      writer.number(section - last - 1);
      last = section;
    }
  }
  for (const { postings } of entries) writer.raw(Uint8Array.from(postings));
  return writer;
}
