// A result in the address of the page, so that a link shows it to others. The content of a link is not trusted.

import { jobWords, type Result } from './comparison.js';
import { LIBRARIES, type Library } from './contestant.js';

export interface SharedResult {
  /** When it was measured, as an ISO date. */
  date: string;
  /** The browser, in the words of its userAgent. */
  browser: string;
  processors: number;
  results: Result[];
}

const key = '#result=';
/** Characters of a link. Seven results take about 2,000. */
const maxLength = 20_000;
const maxResults = 50;
const maxThreads = 1024;

/** The part of an address after the page. */
export function hashOf(shared: SharedResult): string {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  return (
    key +
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/=+$/, '')
  );
}

/** The result in the hash of an address; undefined if it has none, or one that cannot be read. */
export function resultIn(hash: string): SharedResult | undefined {
  if (!hash.startsWith(key) || hash.length > maxLength) return undefined;
  try {
    const text = atob(hash.slice(key.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    return checked(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function checked(value: unknown): SharedResult | undefined {
  const { date, browser, processors, results } = value as Partial<Record<keyof SharedResult, unknown>>;
  const isWhole = isText(date, 40) && isText(browser, 400) && isCount(processors, maxThreads) && Array.isArray(results);
  if (!isWhole || results.length === 0 || results.length > maxResults || !results.every(isResult)) return undefined;
  return { date, browser, processors, results };
}

function isResult(value: unknown): value is Result {
  const { what, threads, agreement, times, runs } = value as Partial<Result>;
  return (
    typeof what === 'string' &&
    Object.hasOwn(jobWords, what) &&
    isCount(threads, maxThreads) &&
    typeof agreement?.agrees === 'boolean' &&
    isText(agreement.words, 200) &&
    (times === undefined || eachLibrary(times, (time) => Number.isFinite(time) && time > 0 && time < 1e9)) &&
    (runs === undefined || eachLibrary(runs, (count) => isCount(count, 1e9)))
  );
}

const eachLibrary = (values: Record<Library, number>, isGood: (value: number) => boolean): boolean =>
  LIBRARIES.every((library) => typeof values[library] === 'number' && isGood(values[library]));
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most;
const isCount = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most;
