// Modules and constants that exist only during the build; tools/build/javascript.mjs defines them.

/** Classes, and the options that only they accept: made from npm/features.mjs. */
declare const optionOwners: readonly (readonly [who: string, options: readonly string[]])[];

/** Files of the package that each use of a page begins with: made from npm/features.mjs. */
declare const assetUses: Readonly<Record<string, readonly string[]>>;

/** Starts the workers of the package, by name: made from npm/features.mjs. */
declare module 'quintet-workers' {
  const workers: Record<import('./platform/threads.js').WorkerScript, () => Worker>;
  export default workers;
}

/** The JavaScript glue that Emscripten generates for quintet-embedder-*.wasm. */
declare module 'quintet-embedder-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<
    import('./embed/native.js').NativeEmbedderModule &
      import('./label/native.js').NativeLabelerModule &
      import('./rerank/native.js').NativeRerankerModule
  >;
  export default create;
}

/** The glue for quintet-generator-*.wasm. */
declare module 'quintet-generator-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<import('./generate/native.js').NativeGeneratorModule>;
  export default create;
}

/** The glue for quintet-generator-memory64.wasm. */
declare module 'quintet-memory64-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<import('./generate/native.js').NativeGeneratorModule>;
  export default create;
}

/** The glue for quintet-classifier-*.wasm. */
declare module 'quintet-classifier-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<import('./classify/native.js').NativeClassifierModule>;
  export default create;
}

/** The glue for quintet-image_embedder-*.wasm. */
declare module 'quintet-image_embedder-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<
    import('./image_embed/native.js').NativeImageEmbedderModule
  >;
  export default create;
}

/** The glue for quintet-files.wasm. */
declare module 'quintet-files-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<import('./inspect/native.js').NativeFilesModule>;
  export default create;
}

/** The glue for quintet-tokenizer.wasm. */
declare module 'quintet-tokenizer-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<import('./tokenize/native.js').NativeTokenizerModule>;
  export default create;
}

/** The glue for quintet-grammar.wasm. */
declare module 'quintet-grammar-glue' {
  const create: import('./engine/start/wasm_module.js').Glue<import('./grammar/native.js').NativeGrammarModule>;
  export default create;
}

/** The WebAssembly module of the search kernels, one character per byte. */
declare module 'quintet-search-kernels' {
  const bytes: string;
  export default bytes;
}

/** The search kernels on shared memory, likewise. */
declare module 'quintet-search-threads' {
  const bytes: string;
  export default bytes;
}

/** The kernels for vectors of tokens, likewise. */
declare module 'quintet-late-interaction' {
  const bytes: string;
  export default bytes;
}

/** The kernels for vectors of tokens with relaxed SIMD, likewise. */
declare module 'quintet-late-interaction-relaxed' {
  const bytes: string;
  export default bytes;
}

/** The script of the worker that searches sites: site_worker.js next to the script that imports it. */
declare module 'quintet-site-worker' {
  export const openSite: import('./site/worker/calls.js').SiteWorkerModule['openSite'];
}
