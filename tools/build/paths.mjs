import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = `${root}dist/`;
export const buildFolder = `${root}build/`;

/** The engine has a wasm module per feature set; the names are those of the CMake presets without `wasm-`. */
export const variants = ['baseline', 'relaxed', 'baseline-threads', 'relaxed-threads'];
export const moduleFolder = (variant) => `${root}build/wasm-${variant}/`;
/** One file for all variants, as `buildWasm` checks. */
export const glue = `${moduleFolder(variants[0])}quintet.mjs`;
/** Text generation has modules of its own, also one per feature set, with their own glue. */
export const decoderGlue = `${moduleFolder(variants[0])}quintet_decoder.mjs`;
/** For models beyond 4 GB it has one in 64-bit memory, whose glue is another. */
export const memory64Module = `${moduleFolder('memory64')}quintet_decoder.wasm`;
export const memory64Glue = `${moduleFolder('memory64')}quintet_decoder.mjs`;
/** Image classification too. */
export const networkGlue = `${moduleFolder(variants[0])}quintet_network.mjs`;
/** Conversion has a module of its own, with its own glue. */
export const convertModule = `${moduleFolder(variants[0])}quintet_convert.wasm`;
export const convertGlue = `${moduleFolder(variants[0])}quintet_convert.mjs`;
/** The loops of the search index, so small that the JavaScript contains them. */
export const searchKernels = `${moduleFolder(variants[0])}search_kernels.wasm`;
/** JPEG and PNG for Node. */
export const imageDecoder = `${moduleFolder(variants[0])}image_decoder.wasm`;
