// The package's module for grammars, with the JavaScript that belongs to it: masks are nothing that the package shows.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { glueOf, oneThread } from '../../tools/build/modules.mjs';
import { dist } from '../../tools/build/paths.mjs';

export async function loadModule() {
  const { default: create } = await import(pathToFileURL(glueOf('grammar', oneThread)).href);
  const bytes = await readFile(`${dist}quintet-grammar.wasm`);
  return create({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => done(instance, module));
      return {};
    },
  });
}

export function unwrap(outcome) {
  if (!outcome.ok) throw new Error(outcome.error.detail ?? JSON.stringify(outcome.error));
  return outcome.value;
}

export function takeVocabulary(module, { tokens, stop }) {
  const vocabulary = new module.GrammarVocabulary();
  const bytes = Buffer.concat(tokens);
  vocabulary.textWindow(bytes.length).set(bytes);
  let end = 0;
  vocabulary.take(
    bytes.length,
    Int32Array.from(tokens, (token) => (end += token.length)),
    Int32Array.of(stop),
  );
  return vocabulary;
}

/** `form`: a JSON schema, or a text in GBNF. */
export function compile(module, form) {
  const compiler = new module.GrammarCompiler();
  const isGbnf = typeof form === 'string';
  const bytes = Buffer.from(isGbnf ? form : JSON.stringify(form));
  compiler.textWindow(bytes.length).set(bytes);
  const grammar = unwrap(isGbnf ? compiler.gbnf(bytes.length) : compiler.jsonSchema(bytes.length));
  compiler.delete();
  return grammar;
}

export const allows = (mask, token) => ((mask[token >>> 5] >>> (token & 31)) & 1) === 1;
