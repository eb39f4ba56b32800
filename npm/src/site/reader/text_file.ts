// The texts of results: the pages and sections of a file, with their passages.

import type { ByteReader } from '../format/byte_reader.js';

export interface TextPage {
  number: number;
  url: string;
  title: string;
  meta: Record<string, string>;
}

export interface TextPassage {
  /** Its number in the section. */
  number: number;
  text: string;
  isCode: boolean;
}

export interface TextSection {
  page: TextPage;
  anchor: string;
  title: string;
  /** The sections in this file. */
  passages: TextPassage[];
}

const page = 1;
const section = 2;
const passage = 3;
const code = 4;

/** The sections of a file, by number. */
export function readTexts(reader: ByteReader): Map<number, TextSection> {
  const sections = new Map<number, TextSection>();
  let lastPage: TextPage | undefined;
  let last: TextSection | undefined;
  while (reader.left > 0) {
    const tag = reader.byte();
    if (tag === page) {
      lastPage = { number: reader.number(), url: reader.text(), title: reader.text(), meta: metaOf(reader) };
    } else if (tag === section) {
      if (!lastPage) throw reader.broken('a section without a page');
      const number = reader.number();
      last = { page: lastPage, anchor: reader.text(), title: reader.text(), passages: [] };
      sections.set(number, last);
    } else if (tag === passage || tag === code) {
      if (!last) throw reader.broken('a passage without a section');
      last.passages.push({ number: reader.number(), text: reader.text(), isCode: tag === code });
    } else {
      throw reader.broken(`nothing begins with ${tag}`);
    }
  }
  return sections;
}

function metaOf(reader: ByteReader): Record<string, string> {
  const text = reader.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw reader.broken('the metadata of a page is not JSON');
  }
  if (typeof value !== 'object' || value === null || Object.values(value).some((each) => typeof each !== 'string')) {
    throw reader.broken('the metadata of a page must map names to texts');
  }
  return value as Record<string, string>;
}
