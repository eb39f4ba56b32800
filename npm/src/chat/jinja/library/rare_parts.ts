// Features that hardly any template uses: some filters and methods of strings, and % with a string. They are in a part
// of the package that is loaded when a template needs it (rare_loading.ts).

import type { Builtin } from '../arguments.js';
import type { Text } from '../text.js';
import type { Value } from '../values.js';

const filters = [
  'batch',
  'center',
  'filesizeformat',
  'format',
  'groupby',
  'round',
  'slice',
  'striptags',
  'truncate',
  'urlencode',
  'wordcount',
  'wordwrap',
  'xmlattr',
] as const;
const methods = ['center', 'expandtabs', 'format', 'format_map', 'ljust', 'rjust', 'translate', 'zfill'] as const;

export interface RareParts {
  filters: Record<(typeof filters)[number], Builtin<[Value]>>;
  /** Methods of strings. */
  methods: Record<(typeof methods)[number], Builtin<[Text]>>;
  /** `format % given` */
  percentFormat(format: Text, given: Value): Text;
}

/** A rendering needs the rare parts, which are not loaded yet. */
export class PartMissing extends Error {}

let loaded: RareParts | undefined;

export const setRareParts = (parts: RareParts): void => void (loaded = parts);

/** @throws PartMissing if they are not loaded */
export function rareParts(): RareParts {
  if (!loaded) throw new PartMissing('rare parts of the template language are not loaded');
  return loaded;
}

export const isRareFilter = (name: string): name is keyof RareParts['filters'] =>
  (filters as readonly string[]).includes(name);
export const isRareMethod = (name: string): name is keyof RareParts['methods'] =>
  (methods as readonly string[]).includes(name);
