#!/usr/bin/env node
// Makes models/stories260k.amb from a llama2.c checkpoint and its SentencePiece model, with the package's own
// converter.
//
//   node tools/build_story_model.mjs stories260K.bin tok512.model        after `npm run build`
import { readFile, writeFile } from 'node:fs/promises';

import { convert } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';

import { readCheckpoint } from './story_model/llama2c_checkpoint.mjs';

const OUT = new URL('../models/stories260k.amb', import.meta.url);

const [checkpointFile, tokenizerFile] = process.argv.slice(2);
if (tokenizerFile === undefined) {
  console.error('usage: node tools/build_story_model.mjs CHECKPOINT.bin TOKENIZER.model');
  process.exit(2);
}

const { sizes, tensors } = readCheckpoint(await readFile(checkpointFile));
const config = {
  model_type: 'llama',
  hidden_size: sizes.dim,
  intermediate_size: sizes.hiddenDim,
  num_hidden_layers: sizes.layers,
  num_attention_heads: sizes.heads,
  num_key_value_heads: sizes.kvHeads,
  vocab_size: sizes.vocabulary,
  max_position_embeddings: sizes.positions,
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  hidden_act: 'silu',
  tie_word_embeddings: true,
};
// Stories were parted by the token of begin in training: a story ends where the model gives it.
const specialTokens = { bos_token: '<s>', eos_token: '<s>' };
const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const folder = {
  'config.json': json(config),
  'tokenizer_config.json': json(specialTokens),
  'tokenizer.model': new Uint8Array(await readFile(tokenizerFile)),
  'model.safetensors': await writeSafetensors(tensors, {}),
};
const metadata = {
  name: 'stories260K',
  author: 'Andrej Karpathy',
  description: 'Tells short stories for children; trained on TinyStories with llama2.c',
  license: 'MIT',
};
const file = new Response(convert(folder, { to: 'amb', metadata }));
await writeFile(OUT, new Uint8Array(await file.arrayBuffer()));
