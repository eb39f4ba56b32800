// Names and their values. A scope sees those around it; assignments stay within it.

import type { Value } from './values.js';

export class Scope {
  private readonly names = new Map<string, Value>();

  constructor(private readonly outer?: Scope) {}

  get(name: string): Value | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) {
      const value = scope.names.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(name: string, value: Value): void {
    this.names.set(name, value);
  }
}
