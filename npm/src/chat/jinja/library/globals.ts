// The functions that every template may call.

import { type Builtin, callable } from '../arguments.js';
import { iterate } from '../compare.js';
import { renderError } from '../errors.js';
import { spend } from '../limits.js';
import { requireText, str } from '../printing.js';
import { emptyText, text } from '../text.js';
import { Attributes, Callable, Dict, Range, type Tuple, typeOf, type Value } from '../values.js';
import { strftime } from './strftime.js';

function integer(value: Value): bigint {
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  throw renderError(`range() takes integers, not ${typeOf(value)}`);
}

function range(start: Value, stop?: Value, step: Value = 1n): Range {
  const [from, to] = stop === undefined ? [0n, integer(start)] : [integer(start), integer(stop)];
  const by = integer(step);
  if (by === 0n) throw renderError('the step of range() cannot be zero');
  return new Range(from, to, by);
}

function dict({ items: [first] }: Tuple, named: Dict): Dict {
  const result = new Dict();
  const given = first === undefined ? [] : first instanceof Dict ? first.entries() : iterate(first).map(iterate);
  for (const pair of [...given, ...named.entries()]) {
    if (pair.length !== 2) throw renderError('dict() takes pairs of a key and a value');
    result.set(pair[0]!, pair[1]!);
  }
  return result;
}

function namespace(args: Tuple, named: Dict): Attributes {
  const values = new Map(
    dict(args, named)
      .entries()
      .map(([key, value]) => [str(key).value, value]),
  );
  return new Attributes('Namespace', (name) => values.get(name), values);
}

function cycler({ items }: Tuple): Attributes {
  if (items.length === 0) throw renderError('cycler() needs values');
  let at = 0;
  const methods: Record<string, () => Value> = {
    next: () => items[at++ % items.length]!,
    reset: () => {
      at = 0;
      return null;
    },
  };
  return new Attributes('Cycler', (name) => {
    if (name === 'current') return items[at % items.length]!;
    return Object.hasOwn(methods, name) ? new Callable(name, methods[name]!) : undefined;
  });
}

/** Nothing at the first call, the separator afterwards. */
function joiner(separator: Value = text(', ')): Attributes {
  let isUsed = false;
  const call = (): Value => {
    const result = isUsed ? separator : emptyText;
    isUsed = true;
    return result;
  };
  return new Attributes('Joiner', () => undefined, undefined, call);
}

const functions: Record<string, Builtin> = {
  range: ['start stop? step?', range],
  dict: ['*args **named', dict],
  namespace: ['*args **named', namespace],
  cycler: ['*items', cycler],
  joiner: ['sep?', joiner],
  raise_exception: [
    'message',
    (message: Value) => {
      throw renderError(str(message).value);
    },
  ],
};

/** `now`: the clock of strftime_now(). */
export function globals(now: () => Date): Map<string, Value> {
  const clock: Builtin = [
    'format',
    (format: Value) => {
      const { value } = requireText(format, 'format');
      // A code of two characters becomes up to 24, in the time of some steps.
      spend(value.length * 10);
      return text(strftime(value, now()));
    },
  ];
  return new Map(
    Object.entries({ ...functions, strftime_now: clock }).map(([name, builtin]) => [name, callable(name, builtin)]),
  );
}
