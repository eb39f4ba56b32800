// A fresh Node process: imports a library, loads a model, computes first logits; then goes on working, for the peak of its
// memory. Whoever asked ends it: Node may hang in exiting while engines still compile (nodejs/node#54918).
import { readFileSync } from 'node:fs';

import { watchWasmMemory } from '../../shared/hosts/wasm_memory.mjs';
import { Stage } from '../contestants/stage.mjs';
import { picture, planesOf } from '../model/picture.mjs';
import { TIMED_PICTURE } from '../workload.mjs';
import { nodePlatform } from './node_platform.mjs';

/** Milliseconds. */
const FURTHER_WORK = 500;

process.on('message', async ({ args: [options] }) => {
  try {
    process.send({ result: await coldStart(options) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});

async function coldStart(options) {
  const wasmBytes = watchWasmMemory();
  const planes = planesOf(picture(TIMED_PICTURE));

  const begin = performance.now();
  const stage = new Stage(nodePlatform);
  await stage.open(options);
  stage.setInput(planes);
  await stage.logits();
  const milliseconds = performance.now() - begin;

  await stage.measure(FURTHER_WORK);
  return {
    milliseconds,
    wasmBytes: wasmBytes(),
    residentBytes: peakResidentBytes(),
    weightBytes: stage.weightBytes(),
  };
}

// resourceUsage().maxRSS begins with what the parent had when it forked.
function peakResidentBytes() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return kilobytes * 1024;
}
