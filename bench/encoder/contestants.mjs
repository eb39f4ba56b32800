// The contestants, in a process of their own: each has `run(job)`, which is timed, and `answers(job)`, which are compared.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { meanPooled } from '../embedder/contestants/pooling.mjs';
import { quintetEntry } from '../shared/paths.mjs';

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
/** As many texts as the peer gets at a time. */
const BATCH = 32;

export async function openQuintet({ folder, ranks, precision }) {
  const { Embedder, Reranker } = await import(quintetEntry());
  const source = Object.fromEntries(FILES.map((file) => [file, join(folder, file)]));
  const options = { threads: 1, quantize: precision === 'int8' ? 'int8' : 'none' };
  if (ranks) {
    const reranker = await Reranker.load(source, options);
    const run = ({ query, texts }) => reranker.score(query, texts);
    return { run, answers: async (job) => Array.from(await run(job), (score) => [score]) };
  }
  const embedder = await Embedder.load(source, options);
  const run = ({ texts }) => embedder.embed(texts, { pooling: 'mean', normalize: true });
  return { run, answers: async (job) => (await run(job)).map((vector) => Array.from(vector)) };
}

/** Hidden states of texts that are padded to the longest one of a batch, as transformers.js does it. */
export async function openOnnxRuntime({ model, head }) {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(new Uint8Array(await readFile(model)), {
    executionProviders: ['wasm'], graphOptimizationLevel: 'all',
  });
  const statesOf = async (sequences) => {
    const length = Math.max(...sequences.map(({ ids }) => ids.length));
    const shape = [sequences.length, length];
    const tensor = (valuesOf) => {
      const rows = sequences.flatMap((sequence) => {
        const values = valuesOf(sequence);
        return [...values, ...new Array(length - values.length).fill(0)];
      });
      return new ort.Tensor('int64', BigInt64Array.from(rows, BigInt), shape);
    };
    const inputs = {
      input_ids: ({ ids }) => ids,
      attention_mask: ({ ids }) => ids.map(() => 1),
      token_type_ids: ({ types }) => types,
    };
    const { last_hidden_state: states } = await session.run(
      Object.fromEntries(session.inputNames.map((name) => [name, tensor(inputs[name])])),
    );
    return states;
  };
  const batches = ({ sequences }) =>
    Array.from({ length: Math.ceil(sequences.length / BATCH) }, (_, i) => sequences.slice(i * BATCH, (i + 1) * BATCH));
  return {
    async run(job) {
      for (const batch of batches(job)) await statesOf(batch);
    },
    async answers(job) {
      const all = [];
      for (const batch of batches(job)) {
        const { data, dims: [, tokens, size] } = await statesOf(batch);
        for (const [row, { ids }] of batch.entries()) {
          const states = data.subarray(row * tokens * size, (row * tokens + ids.length) * size);
          all.push(head ? [logitOf(states.subarray(0, size), head)] : Array.from(meanPooled(states, [1, ids.length, size])[0]));
        }
      }
      return all;
    },
  };
}

/** Of the hidden state of [CLS]. */
function logitOf(state, head) {
  const linear = (input, name) => {
    const { shape: [rows], data } = head.get(`${name}.weight`);
    return Array.from({ length: rows }, (_, row) =>
      input.reduce((sum, value, i) => sum + value * data[row * input.length + i], head.get(`${name}.bias`).data[row]));
  };
  return linear(linear(Array.from(state), 'bert.pooler.dense').map(Math.tanh), 'classifier')[0];
}
