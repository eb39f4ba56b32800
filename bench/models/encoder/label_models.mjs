// Classifiers of texts and of their tokens, of random weights: folders of Hugging Face and ONNX.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { hashOfCode, makeOnce } from '../files/make_once.mjs';
import { DataType } from '../files/onnx_graph.mjs';
import { normal, uniform } from '../files/random.mjs';
import { MINILM, randomBert, writeOnnx } from './bert.mjs';
import { debertaConfig, randomDeberta, writeDebertaOnnx } from './deberta.mjs';
import { LAYERS } from './onnx_layers.mjs';
import { bertConfig, VOCABULARY_FILE, writeHuggingFaceFolder } from './prepare.mjs';

const BASE = { ...MINILM, layers: 12, hidden: 768, intermediate: 3072 };
const DISTILLED = { ...BASE, layers: 6, tokenTypes: 0 };
const DEBERTA = { ...BASE, layerNormEpsilon: 1e-7, buckets: 256 };

/** Names of DistilBERT's tensors next to BERT's. */
const DISTILLED_NAMES = [
  ['encoder.layer', 'transformer.layer'],
  ['attention.output.LayerNorm', 'sa_layer_norm'],
  ['output.LayerNorm', 'output_layer_norm'],
  ['attention.self.query', 'attention.q_lin'],
  ['attention.self.key', 'attention.k_lin'],
  ['attention.self.value', 'attention.v_lin'],
  ['attention.output.dense', 'attention.out_lin'],
  ['intermediate.dense', 'ffn.lin1'],
  ['output.dense', 'ffn.lin2'],
];
const distilledName = (name) => DISTILLED_NAMES.reduce((result, [from, to]) => result.replace(from, to), name);

/**
 * Popular models for labeling texts; the vocabulary is MiniLM's, which does not affect the speed. `dense`: the layer
 * before the last one, with its activation as nodes of ONNX.
 */
export const LABEL_MODELS = {
  'DistilBERT-sentiment': {
    shape: DISTILLED,
    class: 'DistilBertForSequenceClassification',
    prefix: 'distilbert.',
    labels: 2,
    dense: 'pre_classifier',
    activation: (graph, x) => graph.node('Relu', [x]),
    random: () => randomBert(DISTILLED),
    nameOf: distilledName,
    config: {
      model_type: 'distilbert',
      activation: 'gelu',
      dim: DISTILLED.hidden,
      hidden_dim: DISTILLED.intermediate,
      n_layers: DISTILLED.layers,
      n_heads: DISTILLED.heads,
      vocab_size: DISTILLED.vocabulary,
      max_position_embeddings: DISTILLED.positions,
      pad_token_id: 0,
    },
    write: writeOnnx,
  },
  'BERT-NER': {
    shape: BASE,
    class: 'BertForTokenClassification',
    prefix: 'bert.',
    labels: 9,
    random: () => randomBert(BASE),
    config: bertConfig(BASE),
    write: writeOnnx,
  },
  'DeBERTa-v3-base-NLI': {
    shape: DEBERTA,
    class: 'DebertaV2ForSequenceClassification',
    prefix: 'deberta.',
    labels: 3,
    dense: 'pooler.dense',
    activation: (graph, x) => {
      const erf = graph.node('Erf', [graph.node('Div', [x, 'sqrt_2'])]);
      return graph.node('Mul', [graph.node('Mul', [x, graph.node('Add', [erf, 'one'])]), 'half']);
    },
    random: () => randomDeberta(DEBERTA),
    config: debertaConfig(DEBERTA),
    write: writeDebertaOnnx,
  },
};

/** Made once: { folder, onnx: { fp32, int8 } }, the paths. `longestText`: in tokens. */
export async function prepareLabelModel(name, longestText) {
  const model = LABEL_MODELS[name];
  const folder = join(MADE, 'labels', name);
  const onnx = { fp32: join(folder, 'onnx/model.onnx'), int8: join(folder, 'onnx/model_quantized.onnx') };
  await makeOnce(`the models of ${name}`, join(folder, '.made-by'), await hashOfCode(import.meta.dirname), async () => {
    await mkdir(join(folder, 'onnx'), { recursive: true });
    const tensors = model.random();
    const head = randomHead(model);
    for (const [precision, makeLayers] of Object.entries(LAYERS)) {
      const addHead = (graph, layers, states) => addLabelHead(graph, layers, states, model, head);
      model.write(onnx[precision], model.shape, tensors, makeLayers, addHead, longestText);
    }
    const { nameOf = (tensor) => tensor, prefix, labels, config } = model;
    const own = [...tensors].filter(([, { data }]) => data.length > 0);
    const named = new Map([...own.map(([tensor, value]) => [prefix + nameOf(tensor), value]), ...head]);
    await writeHuggingFaceFolder(folder, model.shape, named, VOCABULARY_FILE, {
      ...config,
      architectures: [model.class],
      id2label: Object.fromEntries(Array.from({ length: labels }, (_, i) => [i, labelOf(i)])),
    });
  });
  return { folder, onnx };
}

export const labelOf = (i) => `L${i}`;

function randomHead({ shape: { hidden }, labels, dense }) {
  const next = uniform(5);
  const tensor = (shape, deviation) => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { shape, data: normal(next, count, { deviation }) };
  };
  return new Map([
    ...(dense ? [[`${dense}.weight`, tensor([hidden, hidden], 0.05)]] : []),
    ...(dense ? [[`${dense}.bias`, tensor([hidden], 0.02)]] : []),
    ['classifier.weight', tensor([labels, hidden], 0.03)],
    ['classifier.bias', tensor([labels], 0.02)],
  ]);
}

/** Logits of each token, or of the first one. */
function addLabelHead(graph, layers, states, { labels, dense, activation }, head) {
  const linear = (x, name) => layers.linear(x, name, head.get(`${name}.weight`), head.get(`${name}.bias`));
  let x = states;
  if (dense) {
    graph.integer('first_token', 0);
    x = activation(graph, linear(graph.node('Gather', [states, 'first_token'], { axis: 1 }), dense));
  }
  graph.output('logits', DataType.FLOAT, dense ? ['batch', labels] : ['batch', 'sequence', labels]);
  graph.nodeWithOutputs('Identity', [linear(x, 'classifier')], ['logits']);
}
