// A fresh Node process that loads a model, reads a prompt and writes an answer. Prints one line of JSON with the peak of its
// memory: of the process, of the wasm instance, and what the process took before the model.
import { quintetEntry } from '../paths.mjs';
import { promptIds } from '../workload.mjs';

const [model, vocabulary, contextLength, kvCache] = process.argv.slice(2);
const { capabilities, TextGenerator } = await import(quintetEntry());
const generator = await TextGenerator.load(model, { contextLength: Number(contextLength), kvCache });
await generator.generate(promptIds(Number(vocabulary)), { maxTokens: 64, temperature: 0 }).text();
const { memory } = generator.info;
console.log(
  JSON.stringify({
    weights: memory.weights,
    load: memory.load,
    wasm: capabilities().memory,
    resident: process.resourceUsage().maxRSS * 1024,
  }),
);
process.exit();
