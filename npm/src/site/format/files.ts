// The files of a language's index, as docs/formats/site-index.md describes them.

import { QuintetError } from '../../base/errors.js';

export const manifestName = 'quintet-site.json';
export const formatName = 'quintet-site';
export const formatVersion = 1;

/** The first byte of a file's content, and the beginning of its name. */
export const kinds = {
  /** Sections, pages, and which shard has what. */
  head: 'h',
  /** Terms with the sections that have them. */
  words: 'w',
  /** Terms for words that the index does not have. */
  vocabulary: 'v',
  /** What a result shows. */
  texts: 't',
  /** Vectors of words. */
  rows: 'r',
  /** Centres of the clusters. */
  centres: 'm',
  /** Vectors of passages. */
  cluster: 'c',
  /** Values of the pages to choose and to sort by. */
  filters: 'f',
} as const;

export type FileKind = keyof typeof kinds;

export const fileName = (folder: string, kind: FileKind, number: number): string =>
  `${folder}/${kinds[kind]}${number}.bin`;

/** Bytes of a file's content: what a reader inflates at most. */
export const maxContent = 1 << 25;
/** Bytes of a file as it is stored. */
export const maxStored = 1 << 24;

/** What a language's index has, in the manifest. */
export interface LanguageEntry {
  /** BCP 47, in lower case; '' for pages that do not say. */
  lang: string;
  /** The folder of its files. */
  folder: string;
  pages: number;
  sections: number;
  passages: number;
  /** Whether pages have values to choose or to sort by. */
  hasFilters: boolean;
  /** Undefined without vectors. */
  vectors?: VectorsEntry;
}

export interface VectorsEntry {
  /** The model that made them. */
  model: string;
  dimension: number;
  /** Bits of a value: of words, and of passages: 1, 2, 4 or 8. */
  wordBits: number;
  passageBits: number;
  clusters: number;
  /** Files of words: words of a file have the same remainder of their hash. */
  rowFiles: number;
}

/** Bits of a value of a cluster's centre. */
export const centreBits = 4;

export interface Manifest {
  format: typeof formatName;
  version: number;
  /** Most pages first. */
  languages: LanguageEntry[];
}

export const siteFormat = 'site-index';

/** A file of the index is damaged. */
export function damaged(message: string, offset?: number): QuintetError {
  return new QuintetError('FORMAT', message, { reason: 'malformed', format: siteFormat, offset });
}
