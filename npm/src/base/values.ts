// Type checks that also work for values of other realms, for which `instanceof` is false.

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Whether a value is an instance of a platform class, of any realm. */
export function isA(value: unknown, ...classes: string[]): boolean {
  return typeof value === 'object' && value !== null && classes.includes(tagOf(value));
}

export const isBytes = (value: unknown): value is Uint8Array => isA(value, 'Uint8Array');

/** The type of a value, for messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? tagOf(value) : typeof value;
}

/** A value for messages: primitives as they are, objects by their type. */
export const shown = (value: unknown): string =>
  /^(object|function)$/.test(typeof value) ? typeName(value) : String(value);
