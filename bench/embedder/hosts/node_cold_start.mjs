// A fresh Node process: imports a library, loads a model, computes a first vector; then goes on working, for the peak
// of its memory. Prints one line of JSON.
const begin = performance.now();

const { watchWasmMemory } = await import('../../shared/hosts/wasm_memory.mjs');
const wasmBytes = watchWasmMemory();
const { options, first, more } = JSON.parse(process.argv[2]);
const { Stage } = await import('../contestants/stage.mjs');
const { nodePlatform } = await import('./node_platform.mjs');

const stage = new Stage(nodePlatform);
await stage.open(options);
const wasmBytesLoaded = wasmBytes();
stage.setBatches({ first: [first], more });
await stage.vectors('first');
const end = performance.now();
const peakBytesFirst = peakResidentBytes();

await stage.vectors('more');
const result = {
  milliseconds: end - begin,
  // performance.now() counts from the start of the process.
  sinceProcessStart: end,
  wasmBytesLoaded,
  peakBytesFirst,
  peakBytes: peakResidentBytes(),
};
process.stdout.write(JSON.stringify(result), () => process.exit());

function peakResidentBytes() {
  return process.resourceUsage().maxRSS * 1024;
}
