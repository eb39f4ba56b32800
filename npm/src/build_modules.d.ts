// Modules that exist only while the package is built; tools/build/javascript.mjs says what they stand for.

/** The JavaScript that Emscripten makes for quintet-baseline.wasm and quintet-relaxed.wasm. */
declare module 'quintet-glue' {
  const createQuintet: import('./wasm_module.js').Glue<import('./native.js').NativeModule>;
  export default createQuintet;
}

/** That for quintet-decoder-baseline.wasm and quintet-decoder-relaxed.wasm. */
declare module 'quintet-decoder-glue' {
  const createQuintetDecoder: import('./wasm_module.js').Glue<import('./native.js').NativeDecoderModule>;
  export default createQuintetDecoder;
}

/** That for quintet-decoder-memory64.wasm. */
declare module 'quintet-memory64-glue' {
  const createQuintetDecoder: import('./wasm_module.js').Glue<import('./native.js').NativeDecoderModule>;
  export default createQuintetDecoder;
}

/** That for quintet-network-baseline.wasm and quintet-network-relaxed.wasm. */
declare module 'quintet-network-glue' {
  const createQuintetNetwork: import('./wasm_module.js').Glue<import('./native.js').NativeNetworkModule>;
  export default createQuintetNetwork;
}

/** That for quintet-convert.wasm. */
declare module 'quintet-convert-glue' {
  const createQuintetConvert: import('./wasm_module.js').Glue<import('./native.js').NativeConvertModule>;
  export default createQuintetConvert;
}

/** browser_platform.ts or node_platform.ts. */
declare module 'quintet-platform' {
  export const platform: import('./platform.js').Platform;
}

/** browser_images.ts or node_images.ts. */
declare module 'quintet-images' {
  export const images: import('./images.js').Images;
}

/** browser_threads.ts or node_threads.ts. */
declare module 'quintet-threads' {
  export const threads: import('./threads.js').Threads;
}

/** browser_helpers.ts or node_helpers.ts. */
declare module 'quintet-helpers' {
  export const helpers: import('./helpers.js').HelperPlatform;
}

/** browser_parent.ts or node_parent.ts. */
declare module 'quintet-parent' {
  export const parent: import('./threads.js').Parent;
}

/** The WebAssembly module of the search kernels, a character per byte. */
declare module 'quintet-search-kernels' {
  const bytes: string;
  export default bytes;
}
