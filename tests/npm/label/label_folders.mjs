// The folders of tests/fixtures/rerankers as classifiers with several labels of texts or of tokens, with heads of random numbers.

import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { activations, hiddenStates, linearOf } from './encoder_reference.mjs';

/** By folder: the class of transformers, what is before the names of its body, and the layers of its head. */
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
