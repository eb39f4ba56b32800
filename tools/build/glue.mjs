// The way that Emscripten's glue has to find, fetch and compile its module by itself: never gone, since the package
// passes `instantiateWasm`. Without it the minifier drops all that serves it.
const begin = 'wasmBinaryFile??=findWasmBinary();';
const end = 'return{}}';

export function withoutLoader(glue) {
  const from = glue.indexOf(begin);
  const to = glue.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error('the JavaScript glue has another form than tools/build/glue.mjs expects');
  return glue.slice(0, from) + glue.slice(to);
}
