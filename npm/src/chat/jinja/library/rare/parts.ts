// All rare parts of the language, which are loaded together.

import type { RareParts } from '../rare_parts.js';
import { formatMethods } from './brace_format.js';
import { listFilters } from './list_filters.js';
import { numberFilters } from './number_filters.js';
import { percentFormat } from './percent_format.js';
import { textFilters } from './text_filters.js';
import { textMethods } from './text_methods.js';

export const parts: RareParts = {
  filters: { ...listFilters, ...numberFilters, ...textFilters },
  methods: { ...formatMethods, ...textMethods },
  percentFormat,
};
