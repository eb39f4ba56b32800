// The wasm modules of the package: what CMake builds, and the JavaScript ("glue") that Emscripten makes for each.
import { root } from './paths.mjs';

/** Feature sets: the names are those of the CMake presets without `wasm-`. */
export const variants = ['baseline', 'relaxed'];

/** Modules that compute, by the class that they serve: there is one for each feature set. */
export const engines = ['embedder', 'generator', 'classifier', 'image_embedder'];
/**
 * Modules that other features and threads do not make faster: they inspect and convert files, tokenize, and keep text
 * to grammars. Without atomic instructions they are smaller.
 */
export const singleModules = ['files', 'tokenizer', 'grammar'];
export const oneThread = 'one-thread';

/** `variant`: a feature set, or `oneThread`. */
export const moduleFolder = (variant) => `${root}build/wasm-${variant}/`;
export const moduleOf = (name, variant) => `${moduleFolder(variant)}quintet_${name}.wasm`;
export const glueOf = (name, variant) => `${moduleFolder(variant)}quintet_${name}.mjs`;

/** For models beyond 4 GB there is a generator in 64-bit memory. */
export const memory64 = { module: moduleOf('generator', 'memory64'), glue: glueOf('generator', 'memory64') };

/**
 * Glue by the name under which npm/src imports it (npm/src/build_modules.d.ts). That of an engine is the same for all
 * feature sets, as `buildWasm` checks.
 */
export const gluesOf = (variant) => ({
  ...Object.fromEntries(engines.map((name) => [`quintet-${name}-glue`, glueOf(name, variant)])),
  ...Object.fromEntries(singleModules.map((name) => [`quintet-${name}-glue`, glueOf(name, oneThread)])),
  'quintet-memory64-glue': memory64.glue,
});

/**
 * The loops of the search index, for one thread, for several, and for vectors of tokens, by the name under which
 * npm/src imports them; so small that the JavaScript contains them.
 */
export const searchModulesOf = (variant) => ({
  'quintet-search-kernels': `${moduleFolder(variant)}search_kernels.wasm`,
  'quintet-search-threads': `${moduleFolder(variant)}search_threads.wasm`,
  'quintet-late-interaction': `${moduleFolder(variant)}late_interaction.wasm`,
  'quintet-late-interaction-relaxed': `${moduleFolder(variant)}late_interaction_relaxed.wasm`,
});
/** JPEG and PNG for Node. */
export const imageDecoder = (variant) => `${moduleFolder(variant)}image_decoder.wasm`;

// A function that computes i8x16.relaxed_swizzle: the same probe as in npm/src/engine/start/features.ts.
const relaxedSimd = Buffer.from(
  '\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7b\x03\x02\x01\0\x0a\x0f\x01\x0d\0\x41\x01\xfd\x0f\x41\x02\xfd\x0f\xfd\x80\x02\x0b',
  'latin1',
);

/** The feature set of the running Node, in one thread. */
export const variantOfThisNode = () => (WebAssembly.validate(relaxedSimd) ? 'relaxed' : 'baseline');
