// Numbers in readable form.

const decimals = [0, 1].map(
  (digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const plain = new Intl.NumberFormat('en');

export const count = (value: number): string => plain.format(value);

/** '1 passage', '2 passages'. */
export const counted = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** '1st', '2nd', '13th'. */
export const ordinal = (value: number): string => `${count(value)}${endings[ordinals.select(value)] ?? 'th'}`;

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1e6) return `${format(value / 1e3)} kB`;
  return value < 1e9 ? `${format(value / 1e6)} MB` : `${format(value / 1e9)} GB`;
}

export function milliseconds(value: number): string {
  if (value < 1000) return `${format(value)} ms`;
  return value < 120_000 ? `${format(value / 1000)} s` : `${format(value / 60_000)} min`;
}

/** One decimal below ten, none above. */
const format = (value: number): string => decimals[value < 9.95 ? 1 : 0]!.format(value);

export const percent = (value: number): string => `${decimals[0]!.format(100 * value)} %`;
