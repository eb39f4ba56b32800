// Reads the manifest of a site's index.

import { QuintetError } from '../../base/errors.js';
import {
  type ClustersEntry,
  damaged,
  type EmbedderEntry,
  formatName,
  formatVersion,
  type LanguageEntry,
  type Manifest,
  manifestName,
  siteFormat,
  type VectorsEntry,
} from '../format/files.js';

/** Sections and passages of a language: numbers of them fit into 32 bits, and arrays of them into memory. */
const maxSections = 1 << 26;

/** Throws a FORMAT error, with reason `bad_version` if another version of quintet made the index. */
export function readManifest(bytes: Uint8Array): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw damaged(`${manifestName} is not JSON`);
  }
  const { format, version, languages, embedder } = Object(value) as Partial<Manifest>;
  if (format !== formatName) throw damaged(`${manifestName} is not the manifest of a site's index`);
  if (version !== formatVersion) {
    throw new QuintetError('FORMAT', `the index has version ${version}, this is for ${formatVersion}: build it again`, {
      reason: 'bad_version',
      format: siteFormat,
    });
  }
  if (!Array.isArray(languages)) throw damaged(`${manifestName} names no languages`);
  const checked = { format, version, languages: languages.map(checkLanguage) };
  return embedder === undefined ? checked : { ...checked, embedder: checkEmbedder(embedder) };
}

/** Its names become parts of URLs. */
function checkEmbedder(value: unknown): EmbedderEntry {
  const { name, folder, model } = Object(value) as Partial<EmbedderEntry>;
  const isModel = Array.isArray(model)
    ? model.length > 0 && model.every(isFileName)
    : isAddress(model) || isFileName(model);
  if (!isFolder(folder) || !isModel) throw damaged(`${manifestName}: the embedder has no files`);
  return { name: String(name), folder, model: model as EmbedderEntry['model'] };
}

/** A path that does not leave its folder. */
const isFileName = (value: unknown): boolean =>
  typeof value === 'string' && /^[^:\\?#]+$/.test(value) && value.split('/').every((part) => !/^\.{0,2}$/.test(part));

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^(hf:|https?:\/\/)./i.test(value);

const isFolder = (value: unknown): value is string => typeof value === 'string' && /^[\w-]+$/.test(value);

function checkLanguage(value: unknown): LanguageEntry {
  const { lang, folder, pages, sections, passages, hasFilters, vectors, embedded } = Object(
    value,
  ) as Partial<LanguageEntry>;
  if (typeof lang !== 'string') throw damaged(`${manifestName}: a language has no name`);
  // It becomes part of a URL.
  if (!isFolder(folder)) throw damaged(`${manifestName}: '${lang}' has no folder`);
  const checked: LanguageEntry = {
    lang,
    folder,
    pages: numberUpTo(maxSections, pages, 'pages'),
    sections: numberUpTo(maxSections, sections, 'sections'),
    passages: numberUpTo(maxSections, passages, 'passages'),
    hasFilters: hasFilters === true,
  };
  if (vectors !== undefined) checked.vectors = checkVectors(vectors);
  if (embedded !== undefined) checked.embedded = checkClusters(embedded);
  return checked;
}

function checkVectors(value: unknown): VectorsEntry {
  const { model, wordBits, rowFiles } = Object(value) as Partial<VectorsEntry>;
  return {
    model: String(model),
    ...checkClusters(value),
    wordBits: bits(wordBits, 'wordBits'),
    rowFiles: numberUpTo(1 << 20, rowFiles, 'rowFiles'),
  };
}

function checkClusters(value: unknown): ClustersEntry {
  const { dimension, passageBits, clusters } = Object(value) as Partial<ClustersEntry>;
  return {
    dimension: numberUpTo(4096, dimension, 'dimension'),
    passageBits: bits(passageBits, 'passageBits'),
    clusters: numberUpTo(1 << 16, clusters, 'clusters'),
  };
}

function bits(value: unknown, name: string): number {
  const checked = numberUpTo(8, value, name);
  if (![1, 2, 4, 8].includes(checked)) throw damaged(`${manifestName}: ${name} is ${checked}`);
  return checked;
}

function numberUpTo(max: number, value: unknown, name: string): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max) return value as number;
  throw damaged(`${manifestName}: ${name} is ${JSON.stringify(value)}`);
}

/**
 * The requested language, one with the same first part, or the site's most frequent one; undefined if there is none at
 * all.
 */
export function chooseLanguage(languages: readonly LanguageEntry[], lang: string): LanguageEntry | undefined {
  const wanted = lang.toLowerCase();
  const primary = (tag: string) => tag.split('-')[0];
  return (
    languages.find((each) => each.lang === wanted) ??
    languages.find((each) => wanted !== '' && primary(each.lang) === primary(wanted)) ??
    languages[0]
  );
}
