// The variable `loop` of a for block.

import { equal } from './compare.js';
import { renderError } from './errors.js';
import type { Text } from './text.js';
import { Attributes, Callable, orElse, Tuple, Undefined, type Value } from './values.js';

export class Loop {
  readonly value: Attributes;
  private index = -1;
  private last: Tuple | undefined;

  /** `again` renders the loop for the items within an item. */
  constructor(
    private readonly items: readonly Value[],
    private readonly depth: number,
    again: ((items: Value) => Text) | undefined,
  ) {
    this.value = new Attributes(
      'LoopContext',
      (name) => (Object.hasOwn(attributes, name) ? attributes[name]!(this) : undefined),
      undefined,
      ([inner]) => {
        if (!again) throw renderError("only loops with 'recursive' can be called");
        if (inner === undefined) throw renderError('loop() needs a list to loop over');
        return again(inner);
      },
    );
  }

  advance(): void {
    ++this.index;
  }

  at(offset: number): Value {
    return orElse(this.items[this.index + offset], () => new Undefined('there is no such item'));
  }

  position(): number {
    return this.index;
  }

  get length(): number {
    return this.items.length;
  }

  get level(): number {
    return this.depth;
  }

  changed(values: readonly Value[]): boolean {
    const now = new Tuple(values);
    if (this.last && equal(this.last, now)) return false;
    this.last = now;
    return true;
  }
}

const attributes: Record<string, (loop: Loop) => Value> = {
  index: (loop) => BigInt(loop.position() + 1),
  index0: (loop) => BigInt(loop.position()),
  revindex: (loop) => BigInt(loop.length - loop.position()),
  revindex0: (loop) => BigInt(loop.length - loop.position() - 1),
  first: (loop) => loop.position() === 0,
  last: (loop) => loop.position() === loop.length - 1,
  length: (loop) => BigInt(loop.length),
  depth: (loop) => BigInt(loop.level + 1),
  depth0: (loop) => BigInt(loop.level),
  previtem: (loop) => loop.at(-1),
  nextitem: (loop) => loop.at(1),
  cycle: (loop) =>
    new Callable('cycle', (args) => {
      if (args.length === 0) throw renderError('loop.cycle() needs values');
      return args[loop.position() % args.length]!;
    }),
  changed: (loop) => new Callable('changed', (args) => loop.changed(args)),
};
