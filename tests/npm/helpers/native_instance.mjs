import { readFileSync } from 'node:fs';

/** A running instance of a module of the baseline build, without the package around it. */
export async function instanceOf(output) {
  const { default: glue } = await import(`../../../build/wasm-baseline/${output}.mjs`);
  const file = new URL(`../../../build/wasm-baseline/${output}.wasm`, import.meta.url);
  const module = await WebAssembly.compile(readFileSync(file));
  return glue({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
}
