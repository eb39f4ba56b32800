// The values of templates: those of Python that Jinja2 works with. An int is a bigint, a float a number, a list an
// array.

import { renderError } from './errors.js';
import { checkItems, checkLength, spend, spendOn } from './limits.js';
import { Text } from './text.js';

export type Value =
  | null
  | boolean
  | bigint
  | number
  | Text
  | Value[]
  | Tuple
  | Dict
  | Range
  | Sequence
  | Undefined
  | Callable
  | Attributes;

export class Tuple {
  constructor(readonly items: readonly Value[]) {}
}

/** A tuple of the filter groupby, whose items have names. */
export class Group extends Tuple {
  constructor(
    readonly grouper: Value,
    readonly list: Value[],
  ) {
    super([grouper, list]);
  }
}

/** `range(...)`. */
export class Range {
  readonly items: readonly Value[];

  constructor(
    readonly start: bigint,
    readonly stop: bigint,
    readonly step: bigint,
  ) {
    const span = step > 0n ? stop - start : start - stop;
    const size = step > 0n ? step : -step;
    const length = span > 0n ? (span + size - 1n) / size : 0n;
    // The limits of Jinja2's sandbox.
    if (length > 100_000n) throw renderError('range() makes at most 100000 numbers');
    checkItems(Number(length));
    spend(Number(length));
    this.items = Array.from({ length: Number(length) }, (_, i) => start + step * BigInt(i));
  }
}

/**
 * A value that can be looped over without being a list. `kind`: 'dict_items' and the like, which can be looped over
 * repeatedly, or 'generator', which the first loop uses up.
 */
export class Sequence {
  private rest: readonly Value[];

  constructor(
    readonly kind: 'dict_keys' | 'dict_values' | 'dict_items' | 'generator',
    items: readonly Value[],
  ) {
    this.rest = items;
  }

  get items(): readonly Value[] {
    const items = this.rest;
    if (this.kind === 'generator') this.rest = [];
    return items;
  }
}

/**
 * The value of a name, attribute or item that does not exist. Using it is an error in most cases; the message gives the
 * reason.
 */
export class Undefined {
  constructor(readonly why: string) {}
}

/** A function, method or macro. `kwargs` are its arguments by name. */
export class Callable {
  constructor(
    readonly name: string,
    readonly call: (args: readonly Value[], kwargs: ReadonlyMap<string, Value>) => Value,
    readonly attributes: Readonly<Record<string, Value>> = {},
  ) {}
}

/** An object with attributes: `loop`, `namespace(...)`, `cycler(...)`. */
export class Attributes {
  /** `settable`: a namespace. `call`: runs when the object is called. */
  constructor(
    readonly kind: string,
    readonly get: (name: string) => Value | undefined,
    readonly settable?: Map<string, Value>,
    readonly call?: Callable['call'],
  ) {}
}

type Key = string | number | bigint | null;

/** A dict, in the order in which its keys were added. */
export class Dict {
  private readonly entries_ = new Map<Key, [key: Value, value: Value]>();

  static from(entries: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }

  get size(): number {
    return this.entries_.size;
  }

  get(key: Value): Value | undefined {
    return this.entries_.get(hashKey(key))?.[1];
  }

  /** The value of a key that is a string. */
  named(name: string): Value | undefined {
    return this.entries_.get(`s${name}`)?.[1];
  }

  set(key: Value, value: Value): void {
    const hash = hashKey(key);
    const known = this.entries_.get(hash);
    if (known) known[1] = value;
    else this.entries_.set(hash, [key, value]);
  }

  entries(): readonly (readonly [Value, Value])[] {
    spend(this.size);
    return [...this.entries_.values()];
  }

  keys(): Value[] {
    return this.entries().map(([key]) => key);
  }

  values(): Value[] {
    return this.entries().map(([, value]) => value);
  }
}

/** Equal for equal keys: 1, 1.0 and True are the same key. */
export function hashKey(key: Value): Key {
  spend();
  if (key instanceof Text) {
    spendOn(key.length);
    return `s${key.value}`;
  }
  if (key === null || typeof key === 'bigint') return key;
  if (typeof key === 'boolean' || Number.isInteger(key)) return BigInt(key as number);
  if (typeof key === 'number') return key;
  if (key instanceof Tuple) {
    const hash = `t${JSON.stringify(key.items.map((item) => [hashKey(item)].map((each) => String(each) + typeof each)[0]))}`;
    checkLength(hash.length);
    return hash;
  }
  if (key instanceof Undefined || key instanceof Callable || key instanceof Attributes) return `o${identity(key)}`;
  throw renderError(`a ${typeOf(key)} cannot be the key of a dict`);
}

const identities = new WeakMap<object, number>();
let lastIdentity = 0;

function identity(value: object): number {
  let known = identities.get(value);
  if (known === undefined) identities.set(value, (known = ++lastIdentity));
  return known;
}

/** The name of the type in Python, for messages. */
export function typeOf(value: Value): string {
  if (value === null) return 'NoneType';
  if (value instanceof Text) return 'str';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Dict) return 'dict';
  if (value instanceof Range) return 'range';
  if (value instanceof Undefined) return 'undefined value';
  if (value instanceof Callable) return 'function';
  if (value instanceof Sequence || value instanceof Attributes) return value.kind;
  return { boolean: 'bool', bigint: 'int', number: 'float' }[typeof value as 'boolean' | 'bigint' | 'number'];
}

/** Lists, and everything else that has items at positions. */
export function listItems(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Tuple || value instanceof Range ? value.items : undefined;
}

/** `??` for values, where null is a value. */
export const orElse = (value: Value | undefined, otherwise: () => Value): Value =>
  value === undefined ? otherwise() : value;

export const undefinedError = (value: Undefined) => renderError(value.why);
