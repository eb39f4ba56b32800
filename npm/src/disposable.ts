/// <reference lib="esnext.disposable" preserve="true" />
// `using` works with the classes of this package where the engine knows the symbols.

interface Closable {
  close(): void | Promise<void>;
}

/** Gives a class [Symbol.dispose] and [Symbol.asyncDispose]. */
export function makeDisposable(prototype: Closable): void {
  if (Symbol.dispose) {
    Object.defineProperty(prototype, Symbol.dispose, {
      value(this: Closable) {
        void this.close();
      },
    });
  }
  if (Symbol.asyncDispose) {
    Object.defineProperty(prototype, Symbol.asyncDispose, {
      async value(this: Closable) {
        await this.close();
      },
    });
  }
}
