// Modules that exist only while the package is built; tools/build/javascript.mjs says what they stand for.

/** The JavaScript that Emscripten makes for the WebAssembly module. */
declare module 'quintet-glue' {
  export interface GlueOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
  }
  const createQuintet: (options: GlueOptions) => Promise<import('./native.js').NativeModule>;
  export default createQuintet;
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

/** The WebAssembly module of the search kernels in base64. */
declare module 'quintet-search-kernels' {
  const base64: string;
  export default base64;
}
