// The files of a language's index, as docs/formats/site-index.md describes them.

import { QuintetError } from '../../base/errors.js';

export const manifestName = 'quintet-site.json';
export const formatName = 'quintet-site';
export const formatVersion = 1;

/** The first byte of a file's content, and the beginning of its name. */
export const kinds = {
  /** Sections, pages, and the contents of each shard. */
  head: 'h',
  /** Terms with the sections that have them. */
  words: 'w',
  /** Terms for words that the index does not have. */
  vocabulary: 'v',
  /** The contents of a result. */
  texts: 't',
  /** Vectors of words. */
  rows: 'r',
  /** Centers of the clusters. */
  centers: 'm',
  /** Vectors of passages. */
  cluster: 'c',
  /** Like `centers` and `cluster`, for the vectors of a transformer. */
  embeddedCenters: 'n',
  embeddedCluster: 'e',
  /** Values of the pages to choose and to sort by. */
  filters: 'f',
} as const;

export type FileKind = keyof typeof kinds;

export const fileName = (folder: string, kind: FileKind, number: number): string =>
  `${folder}/${kinds[kind]}${number}.bin`;

/** Maximum number of bytes that a reader inflates of a file. */
export const maxContent = 1 << 25;
/** Bytes of a file as it is stored. */
export const maxStored = 1 << 24;

/** The index of one language, in the manifest. */
export interface LanguageEntry {
  /** BCP 47, in lower case; '' for pages that do not declare it. */
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
  /** Vectors of the manifest's embedder; undefined without one. */
  embedded?: ClustersEntry;
}

/** Vectors of passages, in clusters. */
export interface ClustersEntry {
  dimension: number;
  /** Bits of a value: 1, 2, 4 or 8. */
  passageBits: number;
  clusters: number;
}

export interface VectorsEntry extends ClustersEntry {
  /** The model that made them. */
  model: string;
  /** Like `passageBits`, for words. */
  wordBits: number;
  /** Files of words: words of a file have the same remainder of their hash. */
  rowFiles: number;
}

/** Bits of a value of a cluster's center. */
export const centerBits = 4;

/** A transformer that pages may load to embed queries. */
export interface EmbedderEntry {
  /** Its name in a report. */
  name: string;
  /** The folder of the scripts that run it; its own files may be in it. */
  folder: string;
  /** A name on the Hub or a URL, a file of the folder, or the files of a model's folder. */
  model: string | readonly string[];
}

export interface Manifest {
  format: typeof formatName;
  version: number;
  embedder?: EmbedderEntry;
  /** Most pages first. */
  languages: LanguageEntry[];
}

export const siteFormat = 'site-index';

/** A file of the index is damaged. */
export function damaged(message: string, offset?: number): QuintetError {
  return new QuintetError('FORMAT', message, { reason: 'malformed', format: siteFormat, offset });
}
