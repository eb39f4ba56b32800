// Telling values apart: what callers pass may come from another realm, where `instanceof` answers no.

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Whether a value is of a platform class, also of another realm's. */
export function isA(value: unknown, ...classes: string[]): boolean {
  return typeof value === 'object' && value !== null && classes.includes(tagOf(value));
}

export const isBytes = (value: unknown): value is Uint8Array => isA(value, 'Uint8Array');

/** The kind of a value, for a message. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? tagOf(value) : typeof value;
}

/** A value for a message: itself where it is short, else its kind. */
export const shown = (value: unknown): string =>
  /^(object|function)$/.test(typeof value) ? typeName(value) : String(value);
