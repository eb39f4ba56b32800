// Classifiers of texts and of their tokens. A job is { texts, sequences }. Answers are a list for each text: [label,
// score] of each label, or of each token.

import { openSession } from './embedder.mjs';
import { batchesOf, paddedInputs } from './encoder.mjs';

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];

export const contestants = { quintet: openQuintet, 'onnxruntime-web': openOnnxRuntime };

async function openQuintet({ folder, perToken, precision, threads }, platform) {
  const { TextClassifier, TokenClassifier } = await platform.importLibrary('quintet');
  const source = Object.fromEntries(FILES.map((file) => [file, `${folder}/${file}`]));
  const options = { threads, quantize: precision === 'int8' ? 'int8' : 'none' };
  const classifier = await (perToken ? TokenClassifier : TextClassifier).load(source, options);
  if (perToken) {
    const entitiesOf = (text) => classifier.classify(text, { aggregation: 'none' });
    const run = async ({ texts }) => {
      const all = [];
      for (const text of texts) all.push(await entitiesOf(text));
      return all;
    };
    return { run, answers: async (job) => (await run(job)).map((tokens) => tokens.map(pairOf)) };
  }
  const rank = ({ label }) => classifier.labels.indexOf(label);
  const run = ({ texts }) => classifier.classify(texts);
  const inOrder = (scores) => scores.sort((a, b) => rank(a) - rank(b)).map(pairOf);
  return { run, answers: async (job) => (await run(job)).map(inOrder) };
}

const pairOf = ({ label, score }) => [label, score];

/** Texts are padded to the longest one of a batch, as the pipelines of transformers.js do it. */
async function openOnnxRuntime({ model, perToken, labels, threads }, platform) {
  const { ort, session } = await openSession({ model, threads }, platform);
  const logitsOf = async (sequences) => (await session.run(paddedInputs(ort, session.inputNames, sequences))).logits;
  const likeliest = (scores) => scores.reduce((best, score, i) => (score > scores[best] ? i : best), 0);
  return {
    async run({ sequences }) {
      for (const batch of batchesOf(sequences)) await logitsOf(batch);
    },
    async answers({ sequences }) {
      const all = [];
      for (const batch of batchesOf(sequences)) {
        const { data, dims } = await logitsOf(batch);
        const row = (i) => softmax(data.subarray(i * labels.length, (i + 1) * labels.length));
        for (const [i, { ids }] of batch.entries()) {
          if (!perToken) {
            all.push(row(i).map((score, label) => [labels[label], score]));
            continue;
          }
          // The tokens other than [CLS] and [SEP].
          const tokens = Array.from({ length: ids.length - 2 }, (_, token) => row(i * dims[1] + token + 1));
          all.push(tokens.map((scores) => [labels[likeliest(scores)], Math.max(...scores)]));
        }
      }
      return all;
    },
  };
}

function softmax(logits) {
  const largest = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
