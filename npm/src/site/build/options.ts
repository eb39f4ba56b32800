// What a build can be told, with the checks.

import { callback, either } from '../../base/rules.js';
import { type Rule, signal } from '../../base/values.js';

export interface SiteIndexOptions {
  /** The language of pages that do not say theirs (BCP 47); by default that of most other pages, else a guess. */
  lang?: string;
  /** The address of the site, by which its pages may call each other their canonical page. */
  base?: string;
  /** The folder in which what was read of the pages is kept for the next build; false: nothing is kept. */
  cache?: string | false;
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

export const indexRules: Record<keyof SiteIndexOptions, Rule> = {
  lang: text,
  base: text,
  cache: either(text, ['false', (value) => value === false]),
};
export const writeRules: Record<keyof WriteSiteOptions, Rule> = { signal, onProgress: callback };
export const buildRules: Record<keyof BuildSiteOptions, Rule> = { ...indexRules, ...writeRules, dir: text, out: text };
