// The options of a build, with their checks.

import { callback, either } from '../../base/rules.js';
import type { ModelInput } from '../../base/types.js';
import { type Rule, signal } from '../../base/values.js';
import { languageTag } from '../content/html/page_facts.js';

export interface SiteIndexOptions {
  /** The language of pages that do not declare theirs (BCP 47); by default that of most other pages, else a guess. */
  lang?: string;
  /** The address of the site, by which its pages may call each other their canonical page. */
  base?: string;
  /** The folder that caches the content of pages for the next build; false: nothing is kept. */
  cache?: string | false;
  /**
   * The model of words: a static embedding (model2vec), by its folder, its files or its name on the Hub, for all
   * languages that it supports. Default: the one in quintet-models, for English. false: pages are found by their words
   * only. A transformer is given as `embedder`, in addition to the default.
   */
  model?: ModelInput | false;
  /**
   * A transformer that gives passages their vectors as well. Pages that call `loadEmbedder` download it, and find more.
   * true: that of quintet-models, for English. None by default.
   */
  embedder?: ModelInput | boolean;
}

export interface SiteProgress {
  stage: 'reading' | 'indexing' | 'writing';
  done: number;
  total: number;
}

export interface WriteSiteOptions {
  signal?: AbortSignal;
  onProgress?(progress: SiteProgress): void;
}

export interface BuildSiteOptions extends SiteIndexOptions, WriteSiteOptions {
  /** The folder of the built site. */
  dir: string;
  /** The folder of the index, which pages load; `search` in `dir` by default. */
  out?: string;
}

const text: Rule = ['a non-empty string', (value) => typeof value === 'string' && value !== ''];

const language: Rule = [
  'a language of BCP 47, such as en',
  (value) => typeof value === 'string' && languageTag(value) !== '',
];

export const indexRules: Record<keyof SiteIndexOptions, Rule> = {
  lang: language,
  base: text,
  cache: either(text, ['false', (value) => value === false]),
  // Reading it checks the rest.
  model: ['a model, or false', (value) => value !== true && value !== null && value !== ''],
  embedder: ['a model, true or false', (value) => value !== null && value !== ''],
};
export const writeRules: Record<keyof WriteSiteOptions, Rule> = { signal, onProgress: callback };
export const buildRules: Record<keyof BuildSiteOptions, Rule> = { ...indexRules, ...writeRules, dir: text, out: text };
