/// <reference lib="esnext.disposable" preserve="true" />
// Makes `using` work with the classes of this package, if the engine has the symbols.

/** An object that must be closed. Declared with `using`, it is closed at the end of the block. */
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
