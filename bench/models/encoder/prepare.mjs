// The files of encoders of random weights: folders of Hugging Face, ONNX, and those that quintet converts.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MADE, REPOSITORY } from '../../harness/paths.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { normal, uniform } from '../files/random.mjs';
import { writeSafetensors } from '../files/safetensors.mjs';
import { MINILM, randomBert, writeOnnx } from './bert.mjs';
import { modernBertConfig, randomModernBert, writeModernBertOnnx } from './modern_bert.mjs';
import { LAYERS } from './onnx_layers.mjs';

export const VOCABULARY_FILE = join(REPOSITORY, 'tests/fixtures/tokenizers/minilm/vocab.txt');
/** The folder from which transformers.js loads models by their names. */
export const MODELS_FOLDER = join(MADE, 'embedder');
export const MODEL_NAME = 'random-minilm';
const FOLDER = join(MODELS_FOLDER, MODEL_NAME);

export const MODEL_FILES = {
  quintet: { fp32: join(MODELS_FOLDER, 'minilm-fp32.weights'), int8: join(MODELS_FOLDER, 'minilm-int8.weights') },
  onnx: { fp32: join(FOLDER, 'onnx/model.onnx'), int8: join(FOLDER, 'onnx/model_quantized.onnx') },
};
const QUANTIZATIONS = { fp32: 'none', int8: 'int8-row' };

/** The files of the embedder benchmark, all from one set of random weights: made once, 20 seconds and 250 MB. */
export async function prepareEmbedder() {
  await makeOnce('peer models', join(FOLDER, '.made-by'), await hashOfCode(import.meta.dirname), makePeerModels);
  const names = ['config.json', 'vocab.txt', 'model.safetensors'];
  const source = Object.fromEntries(names.map((name) => [name, join(FOLDER, name)]));
  const { mtimeMs } = await stat(source['model.safetensors']);
  for (const [precision, file] of Object.entries(MODEL_FILES.quintet)) {
    const options = { to: 'weights', quantize: QUANTIZATIONS[precision] };
    await makeOnce(file, `${file}.made-from`, String(mtimeMs), () => convertTo(file, source, options));
  }
}

async function makePeerModels() {
  const tensors = randomBert(MINILM);
  await writeHuggingFaceFolder(FOLDER, MINILM, tensors, VOCABULARY_FILE);
  await mkdir(join(FOLDER, 'onnx'), { recursive: true });
  writeOnnx(MODEL_FILES.onnx.fp32, MINILM, tensors, LAYERS.fp32);
  writeOnnx(MODEL_FILES.onnx.int8, MINILM, tensors, LAYERS.int8);
}

/**
 * The files of an encoder's shape from one set of random weights, made once: a folder of Hugging Face, and ONNX as
 * float32 and int8. `longestText`: in tokens. Gives the paths { folder, onnx: { fp32, int8 } }, and the weights of a
 * reranker's head.
 */
export async function prepareEncoder({ name, shape, modern = false, ranks = false }, longestText) {
  const folder = join(MADE, 'encoder', name);
  const onnx = { fp32: join(folder, 'onnx/model.onnx'), int8: join(folder, 'onnx/model_quantized.onnx') };
  const head = ranks ? randomHead(shape) : undefined;
  const madeBy = `${JSON.stringify(shape)} ${await hashOfCode(import.meta.dirname)}`;
  await makeOnce(`the models of ${name}`, join(folder, '.made-by'), madeBy, async () => {
    const tensors = modern ? randomModernBert(shape) : randomBert(shape);
    await mkdir(join(folder, 'onnx'), { recursive: true });
    for (const [precision, makeLayers] of Object.entries(LAYERS)) {
      if (modern) writeModernBertOnnx(onnx[precision], shape, tensors, makeLayers, longestText);
      else writeOnnx(onnx[precision], shape, tensors, makeLayers);
    }
    const all = head ? new Map([...tensors].map(([key, value]) => [`bert.${key}`, value]).concat([...head])) : tensors;
    await writeHuggingFaceFolder(folder, shape, all, VOCABULARY_FILE, modern ? modernBertConfig(shape) : undefined);
    if (head) await makeReranker(join(folder, 'config.json'));
  });
  return { folder, onnx, head };
}

function randomHead({ hidden }) {
  const next = uniform(5);
  const tensor = (shape, deviation) => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { shape, data: normal(next, count, { deviation }) };
  };
  return new Map([
    ['bert.pooler.dense.weight', tensor([hidden, hidden], 0.05)],
    ['bert.pooler.dense.bias', tensor([hidden], 0.02)],
    ['classifier.weight', tensor([1, hidden], 0.1)],
    ['classifier.bias', tensor([1], 0.02)],
  ]);
}

async function makeReranker(file) {
  const config = {
    ...JSON.parse(await readFile(file, 'utf8')),
    architectures: ['BertForSequenceClassification'],
    id2label: { 0: 'LABEL_0' },
    sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity',
  };
  await writeFile(file, JSON.stringify(config));
}

const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** The folder that quintet converts; transformers.js loads it together with its onnx/ files. `config`: config.json. */
export async function writeHuggingFaceFolder(directory, shape, tensors, vocabularyFile, config = bertConfig(shape)) {
  const vocabularyText = await readFile(vocabularyFile, 'utf8');
  const vocabulary = vocabularyText.trimEnd().split('\n');
  if (vocabulary.length !== shape.vocabulary) {
    throw new Error(`${vocabularyFile} has ${vocabulary.length} tokens, not ${shape.vocabulary}`);
  }
  await mkdir(directory, { recursive: true });
  const writeJson = (name, value) => writeFile(join(directory, name), JSON.stringify(value, null, 1));
  await Promise.all([
    writeJson('config.json', config),
    writeJson('tokenizer.json', tokenizer(vocabulary)),
    writeJson('tokenizer_config.json', tokenizerConfig(shape)),
    writeFile(join(directory, 'vocab.txt'), vocabularyText),
    writeSafetensors(join(directory, 'model.safetensors'), tensors),
  ]);
}

export function bertConfig(shape) {
  return {
    _name_or_path: 'random-minilm',
    architectures: ['BertModel'],
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: shape.hidden,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    intermediate_size: shape.intermediate,
    vocab_size: shape.vocabulary,
    max_position_embeddings: shape.positions,
    type_vocab_size: shape.tokenTypes,
    layer_norm_eps: shape.layerNormEpsilon,
    pad_token_id: 0,
  };
}

function tokenizerConfig(shape) {
  return {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    model_max_length: shape.positions,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    mask_token: '[MASK]',
  };
}

function tokenizer(vocabulary) {
  const ids = Object.fromEntries(vocabulary.map((token, id) => [token, id]));
  const special = (token) => ({ id: token, ids: [ids[token]], tokens: [token] });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TOKENS.map((content) => ({
      id: ids[content],
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
        { Sequence: { id: 'B', type_id: 1 } },
        { SpecialToken: { id: '[SEP]', type_id: 1 } },
      ],
      special_tokens: { '[CLS]': special('[CLS]'), '[SEP]': special('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: ids,
    },
  };
}
