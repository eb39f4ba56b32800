// The folders of tests/fixtures/rerankers as classifiers with several labels of texts or of tokens, with heads of
// random numbers.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { activations, hiddenStates, linearOf } from '../helpers/encoder_reference.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';

/** For each folder: the class of transformers, the prefix of the names of its body, and the layers of its head. */
export const families = {
  bert: { title: 'Bert', prefix: 'bert', dense: 'bert.pooler.dense', classifier: 'classifier', activation: 'tanh' },
  xlmr: {
    title: 'XLMRoberta',
    prefix: 'roberta',
    dense: 'classifier.dense',
    classifier: 'classifier.out_proj',
    activation: 'tanh',
  },
  electra: {
    title: 'Electra',
    prefix: 'electra',
    dense: 'classifier.dense',
    classifier: 'classifier.out_proj',
    activation: 'gelu',
  },
  deberta: {
    title: 'DebertaV2',
    prefix: 'deberta',
    dense: 'pooler.dense',
    classifier: 'classifier',
    activation: 'gelu',
  },
};

/** Numbers between -1 and 1 (Numerical Recipes' generator). */
export function randomNumbers(count, seed = 1) {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 31 - 1);
  });
}

const utf8 = new TextEncoder();
const describing = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

/** The files of a classifier by name. `labels`: their names. `config`: what else is different. */
export function labelFolder(folder, { labels, perToken = false, config = {}, tensors: changed = {} }) {
  const family = families[folder];
  const files = Object.fromEntries(describing.map((name) => [name, fixtureFile(`rerankers/${folder}/${name}`)]));
  const own = JSON.parse(new TextDecoder().decode(files['config.json']));
  const id2label = Object.fromEntries(labels.map((label, i) => [i, label]));
  const classes = [`${family.title}For${perToken ? 'Token' : 'Sequence'}Classification`];
  files['config.json'] = utf8.encode(JSON.stringify({ ...own, architectures: classes, id2label, ...config }));
  const tensors = plainSafetensors(fixtureFile(`rerankers/${folder}/model.safetensors`)).tensors;
  const kept = [...tensors].filter(
    ([name]) => !name.startsWith('classifier.') || (!perToken && name.startsWith('classifier.dense')),
  );
  const classifier = perToken ? 'classifier' : family.classifier;
  const width = own.hidden_size;
  files['model.safetensors'] = safetensorsFile({
    ...Object.fromEntries(kept),
    [`${classifier}.weight`]: { shape: [labels.length, width], values: randomNumbers(labels.length * width) },
    [`${classifier}.bias`]: { shape: [labels.length], values: randomNumbers(labels.length, 2) },
    ...changed,
  });
  return files;
}

/**
 * The files of a decoder as a classifier with a tokenizer of others, whose head is a matrix, random unless it is
 * `head`; without `labels` it has none.
 */
export function decoderFolder({ labels = [], family = 'qwen3', head, ...config }) {
  const own = (name) => fixtureFile(`families/${family}/${name}`);
  const described = {
    ...JSON.parse(new TextDecoder().decode(own('config.json'))),
    architectures: ['AnyForSequenceClassification'],
    id2label: Object.fromEntries(labels.map((label, i) => [i, label])),
    ...config,
  };
  const count = labels.length * described.hidden_size;
  const score = head ?? { shape: [labels.length, described.hidden_size], values: randomNumbers(count) };
  const { tensors } = plainSafetensors(own('model.safetensors'));
  return {
    'config.json': utf8.encode(JSON.stringify(described)),
    'tokenizer.json': fixtureFile('rerankers/bert/tokenizer.json'),
    'model.safetensors': safetensorsFile({
      ...Object.fromEntries(tensors),
      ...(labels.length > 0 && { 'score.weight': score }),
    }),
  };
}

export function writeLabelFolder(path, folder, options) {
  mkdirSync(path, { recursive: true });
  for (const [name, bytes] of Object.entries(labelFolder(folder, options))) writeFileSync(join(path, name), bytes);
}

/** The logits of a text that is given as tokens, or of each of these. */
export function expectedLogits(folder, files, { perToken = false, ids, types }) {
  const { prefix, dense, classifier, activation } = families[folder];
  const config = JSON.parse(new TextDecoder().decode(files['config.json']));
  const states = hiddenStates(config, files['model.safetensors'], prefix, ids, types);
  const linear = (name) => linearOf(files['model.safetensors'], name);
  if (perToken) return states.map(linear('classifier'));
  const pooled = linear(dense)(states[0]).map(activations[activation]);
  return linear(classifier)(pooled);
}

/**
 * A classifier whose tokens all have a label, the same, with any tokenizer.json: its answers are the places of all
 * tokens.
 */
export function placesFolder(tokenizer, size) {
  const [width, positions] = [8, 4096];
  const matrix = (rows, columns) => ({ shape: [rows, columns], values: new Float32Array(rows * columns) });
  const vector = (length) => ({ shape: [length], values: new Float32Array(length).fill(1) });
  const linear = (name, rows, columns) => ({
    [`${name}.weight`]: matrix(rows, columns),
    [`${name}.bias`]: vector(rows),
  });
  const norm = (name) => ({ [`${name}.weight`]: vector(width), [`${name}.bias`]: vector(width) });
  const layer = (name) => `bert.encoder.layer.0.${name}`;
  const tensors = {
    'bert.embeddings.word_embeddings.weight': matrix(size, width),
    'bert.embeddings.position_embeddings.weight': matrix(positions, width),
    'bert.embeddings.token_type_embeddings.weight': matrix(2, width),
    ...norm('bert.embeddings.LayerNorm'),
    ...linear(layer('attention.self.query'), width, width),
    ...linear(layer('attention.self.key'), width, width),
    ...linear(layer('attention.self.value'), width, width),
    ...linear(layer('attention.output.dense'), width, width),
    ...norm(layer('attention.output.LayerNorm')),
    ...linear(layer('intermediate.dense'), width, width),
    ...linear(layer('output.dense'), width, width),
    ...norm(layer('output.LayerNorm')),
    ...linear('classifier', 2, width),
  };
  const config = {
    architectures: ['BertForTokenClassification'],
    model_type: 'bert',
    hidden_size: width,
    num_hidden_layers: 1,
    num_attention_heads: 1,
    intermediate_size: width,
    max_position_embeddings: positions,
    vocab_size: size,
    id2label: { 0: 'A', 1: 'B' },
  };
  return {
    'config.json': utf8.encode(JSON.stringify(config)),
    'tokenizer.json': utf8.encode(JSON.stringify(tokenizer)),
    'model.safetensors': safetensorsFile(tensors),
  };
}
