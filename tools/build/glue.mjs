// What becomes of the JavaScript that Emscripten makes for a module ("glue") before it is bundled.

/** One glue for all builds of a module, without what the package does itself. */
export const packagedGlue = (glue) => decodingCopies(withoutLoader(glue));

// The way to find, fetch and compile its module by itself: never gone, since the package passes `instantiateWasm`.
// Without it the minifier drops all that serves it.
function withoutLoader(glue) {
  const begin = 'wasmBinaryFile??=findWasmBinary();';
  const from = glue.indexOf(begin);
  const to = glue.indexOf('return{}}', from);
  if (from < 0 || to < 0) throw unexpected();
  return glue.slice(0, from) + glue.slice(to);
}

// Browsers decode no text that lies in shared memory. Made for threads, the glue copies it first, and differs in nothing
// else that matters: only the engine's own thread calls it, so that it knows when the memory has grown.
function decodingCopies(glue) {
  const shared = 'UTF8Decoder.decode(heapOrArray.subarray(';
  if (!glue.includes(shared)) throw unexpected();
  return glue.replaceAll(shared, shared.replace('subarray', 'slice'));
}

/** The names of what a glue offers its module. */
export function importsOf(glue) {
  const [, list] = /var wasmImports=\{([^}]*)\}/.exec(glue) ?? [];
  if (list === undefined) throw unexpected();
  return list.split(',').map((entry) => entry.split(':')[0]);
}

const unexpected = () => new Error('the JavaScript glue has another form than tools/build/glue.mjs expects');
