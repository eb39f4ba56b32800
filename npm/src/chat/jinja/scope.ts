// Names and their values. A scope sees those around it; assignments stay within it.

import { spend } from './limits.js';
import type { Value } from './values.js';

export class Scope {
  private readonly names = new Map<string, Value>();

  constructor(private readonly outer?: Scope) {}

  get(name: string): Value | undefined {
    let value: Value | undefined;
    let depth = 0;
    for (let scope: Scope | undefined = this; scope && value === undefined; scope = scope.outer) {
      value = scope.names.get(name);
      ++depth;
    }
    spend(depth / 16);
    return value;
  }

  set(name: string, value: Value): void {
    this.names.set(name, value);
  }
}
