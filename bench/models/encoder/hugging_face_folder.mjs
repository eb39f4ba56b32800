// The model as a Hugging Face folder: what quintet converts, and what transformers.js loads beside its onnx/ files.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeSafetensors } from '../files/safetensors.mjs';

const SPECIAL_TOKENS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** `config`: config.json; by default that of BERT. */
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

function bertConfig(shape) {
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
