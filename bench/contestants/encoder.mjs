// Embedders and rerankers of any shape. A job is { texts, sequences }, that of a reranker also has a `query`.
import { meanPooled, openSession } from './embedder.mjs';

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
/** The number of texts that the peer gets at a time. */
const BATCH = 32;

export const contestants = { quintet: openQuintet, 'onnxruntime-web': openOnnxRuntime };

async function openQuintet({ folder, ranks, precision }, platform) {
  const { Embedder, Reranker } = await platform.importLibrary('quintet');
  const source = Object.fromEntries(FILES.map((file) => [file, `${folder}/${file}`]));
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
async function openOnnxRuntime({ model, head }, platform) {
  const { ort, session } = await openSession({ model }, platform);
  const statesOf = async (sequences) => {
    const { last_hidden_state: states } = await session.run(paddedInputs(ort, session.inputNames, sequences));
    return states;
  };
  return {
    async run({ sequences }) {
      for (const batch of batchesOf(sequences)) await statesOf(batch);
    },
    async answers({ sequences }) {
      const all = [];
      for (const batch of batchesOf(sequences)) {
        const {
          data,
          dims: [, tokens, size],
        } = await statesOf(batch);
        for (const [row, { ids }] of batch.entries()) {
          const states = data.subarray(row * tokens * size, (row * tokens + ids.length) * size);
          all.push(
            head ? [logitOf(states.subarray(0, size), head)] : Array.from(meanPooled(states, [1, ids.length, size])[0]),
          );
        }
      }
      return all;
    },
  };
}

export const batchesOf = (sequences) =>
  Array.from({ length: Math.ceil(sequences.length / BATCH) }, (_, i) => sequences.slice(i * BATCH, (i + 1) * BATCH));

export function paddedInputs(ort, names, sequences) {
  const length = Math.max(...sequences.map(({ ids }) => ids.length));
  const valuesOf = {
    input_ids: ({ ids }) => ids,
    attention_mask: ({ ids }) => ids.map(() => 1),
    token_type_ids: ({ types }) => types,
  };
  const tensor = (name) => {
    const rows = sequences.flatMap((sequence) => {
      const values = valuesOf[name](sequence);
      return [...values, ...new Array(length - values.length).fill(0)];
    });
    return new ort.Tensor('int64', BigInt64Array.from(rows, BigInt), [sequences.length, length]);
  };
  return Object.fromEntries(names.map((name) => [name, tensor(name)]));
}

/** The logit that a classification head gives for the hidden state of [CLS]. */
function logitOf(state, head) {
  const linear = (input, name) => {
    const {
      shape: [rows],
      data,
    } = head.get(`${name}.weight`);
    const biases = head.get(`${name}.bias`).data;
    return Array.from({ length: rows }, (_, row) =>
      input.reduce((sum, value, i) => sum + value * data[row * input.length + i], biases[row]),
    );
  };
  return linear(linear(Array.from(state), 'bert.pooler.dense').map(Math.tanh), 'classifier')[0];
}
