// Checks the options of a search.

import { inputError } from '../../base/errors.js';
import { shown } from '../../base/values.js';
import type { SiteSearchOptions } from '../types.js';

/** The request to a reader. */
export interface SearchRequest extends SiteSearchOptions {
  /** The query as the index's embedder gives it, of length one. */
  vector?: Float32Array;
}

/** Pages of an answer. */
const maxPages = 1000;

/** Throws INPUT. */
export function checkSearchOptions({ k, mode, filters, sort }: SiteSearchOptions): void {
  if (k !== undefined && !(Number.isInteger(k) && k >= 1 && k <= maxPages)) {
    throw inputError('out_of_range', `search: 'k' must be an integer from 1 to ${maxPages}, not ${shown(k)}`);
  }
  if (mode !== undefined && mode !== 'keyword' && mode !== 'hybrid') {
    throw inputError('unknown_value', `search: 'mode' must be 'keyword' or 'hybrid', not ${shown(mode)}`);
  }
  for (const value of Object.values(filters ?? {})) {
    if (typeof value !== 'string' && !(Array.isArray(value) && value.every((each) => typeof each === 'string'))) {
      throw inputError('wrong_type', `search: a value of 'filters' must be a string or several, not ${shown(value)}`);
    }
  }
  for (const direction of Object.values(sort ?? {})) {
    if (direction !== 'asc' && direction !== 'desc') {
      throw inputError('unknown_value', `search: 'sort' must be 'asc' or 'desc', not ${shown(direction)}`);
    }
  }
}
