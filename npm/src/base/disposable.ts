/// <reference lib="esnext.disposable" preserve="true" />
// `using` works with the classes of this package where the engine knows the symbols.

/** What must be closed, and closes by itself at the end of a block that says `using`. */
export abstract class Disposable {
  declare readonly [Symbol.dispose]: () => void;
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;

  abstract close(): void | Promise<void>;
}

for (const symbol of [Symbol.dispose, Symbol.asyncDispose]) {
  if (!symbol) continue;
  Object.defineProperty(Disposable.prototype, symbol, {
    value(this: Disposable) {
      return this.close();
    },
  });
}
