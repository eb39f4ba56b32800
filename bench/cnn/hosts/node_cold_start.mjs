// A fresh Node process: imports a library, loads a model, computes first logits; then goes on working, for the peak of its
// memory. Prints one line of JSON.
import { watchWasmMemory } from '../../shared/hosts/wasm_memory.mjs';
import { Stage } from '../contestants/stage.mjs';
import { picture, planesOf } from '../model/picture.mjs';
import { TIMED_PICTURE } from '../workload.mjs';
import { nodePlatform } from './node_platform.mjs';

/** Milliseconds. */
const FURTHER_WORK = 500;

const options = JSON.parse(process.argv[2]);
const wasmBytes = watchWasmMemory();
const planes = planesOf(picture(TIMED_PICTURE));

const begin = performance.now();

const stage = new Stage(nodePlatform);
await stage.open(options);
stage.setInput(planes);
await stage.logits();
const milliseconds = performance.now() - begin;

await stage.measure(FURTHER_WORK);
const result = {
  milliseconds,
  wasmBytes: wasmBytes(),
  residentBytes: process.resourceUsage().maxRSS * 1024,
  weightBytes: stage.weightBytes(),
};
process.stdout.write(JSON.stringify(result), () => process.exit());
