import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { glueOf, moduleOf, oneThread, singleModules } from '../../../tools/build/modules.mjs';

/** A running instance of a module, of the baseline build if it is an engine's, without the package around it. */
export async function instanceOf(name) {
  const build = singleModules.includes(name) ? oneThread : 'baseline';
  const { default: glue } = await import(pathToFileURL(glueOf(name, build)).href);
  const module = await WebAssembly.compile(readFileSync(moduleOf(name, build)));
  return glue({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
}
