import { fileURLToPath } from 'node:url';

/** The repository's root, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = `${root}dist/`;
export const buildFolder = `${root}build/`;

/** Feature sets of wasm modules: the names are those of the CMake presets without `wasm-`. */
export const variants = ['baseline', 'relaxed', 'baseline-threads', 'relaxed-threads'];
export const moduleFolder = (variant) => `${root}build/wasm-${variant}/`;
/** The modules that there is one of per feature set, by the class that they serve. Their glue is one for all, as `buildWasm` checks. */
export const embedderGlue = `${moduleFolder(variants[0])}quintet_embedder.mjs`;
export const generatorGlue = `${moduleFolder(variants[0])}quintet_generator.mjs`;
export const classifierGlue = `${moduleFolder(variants[0])}quintet_classifier.mjs`;
/** For models beyond 4 GB there is a generator in 64-bit memory, whose glue is another. */
export const memory64Module = `${moduleFolder('memory64')}quintet_generator.wasm`;
export const memory64Glue = `${moduleFolder('memory64')}quintet_generator.mjs`;
/** Inspecting, reading and converting files, and tokenizing: no faster with other features. */
export const filesModule = `${moduleFolder(variants[0])}quintet_files.wasm`;
export const filesGlue = `${moduleFolder(variants[0])}quintet_files.mjs`;
export const tokenizerModule = `${moduleFolder(variants[0])}quintet_tokenizer.wasm`;
export const tokenizerGlue = `${moduleFolder(variants[0])}quintet_tokenizer.mjs`;
/** The loops of the search index, so small that the JavaScript contains them. */
export const searchKernels = `${moduleFolder(variants[0])}search_kernels.wasm`;
/** JPEG and PNG for Node. */
export const imageDecoder = `${moduleFolder(variants[0])}image_decoder.wasm`;
