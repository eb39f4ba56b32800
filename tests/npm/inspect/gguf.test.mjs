// GGUF files as `inspect` shows them, compared with what @huggingface/gguf reads.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GGMLQuantizationType, gguf } from '@huggingface/gguf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inspect } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { ggufFile, tensorTypes, tinyLlama } from '../helpers/models/gguf_writer.mjs';

const files = {
  'every-value': ggufFile({
    version: 2,
    values: [
      ['general.architecture', 'string', 'something'],
      ['a.uint8', 'uint8', 255],
      ['a.int8', 'int8', -128],
      ['a.uint16', 'uint16', 65535],
      ['a.int16', 'int16', -32768],
      ['a.uint32', 'uint32', 4294967295],
      ['a.int32', 'int32', -2147483648],
      ['a.float32', 'float32', 0.1],
      ['a.true', 'bool', true],
      ['a.false', 'bool', false],
      ['a.string', 'string', 'é "quoted" 𝄞'],
      ['a.uint64', 'uint64', 9007199254740991n],
      ['a.int64', 'int64', -9007199254740991n],
      ['a.float64', 'float64', 1e-300],
      ['a.list', 'array', { of: 'uint16', list: [1, 2, 3] }],
      ['a.texts', 'array', { of: 'string', list: ['', 'x'] }],
      ['a.empty', 'array', { of: 'float64', list: [] }],
      ['a.long', 'array', { of: 'int32', list: Array.from({ length: 3000 }, (_, i) => i) }],
    ],
  }),
  'every-type': ggufFile({
    values: [['general.architecture', 'string', 'something']],
    tensors: Object.entries(tensorTypes).map(([type, [, block]]) => ({
      name: `t.${type}`,
      type,
      shape: [3, 2 * block],
    })),
  }),
  aligned: ggufFile({
    alignment: 256,
    values: [['general.alignment', 'uint32', 256]],
    tensors: [1, 2, 3].map((size) => ({ name: `t${size}`, type: 'I8', shape: [size, 5, 7] })),
  }),
  'tiny-llama': ggufFile(tinyLlama),
};
const names = Object.keys(files);
let folder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quintet-gguf-'));
  for (const name of names) await writeFile(join(folder, `${name}.gguf`), files[name]);
});
afterAll(() => rm(folder, { recursive: true }));

const independent = (name) => gguf(join(folder, `${name}.gguf`), { allowLocalFile: true });

const plain = (value) => (typeof value === 'bigint' ? Number(value) : value);

test.each(names)('%s: metadata', async (name) => {
  const { metadata } = await independent(name);
  const { version, tensor_count, kv_count, ...values } = metadata;
  const info = await inspect(files[name]);
  expect(info.format).toBe('gguf');
  expect(info.version).toBe(version);
  expect(info.tensors).toHaveLength(Number(tensor_count));
  expect(Object.keys(info.metadata)).toHaveLength(Number(kv_count));
  expect(Object.keys(info.metadata)).toEqual(Object.keys(values));
  for (const [key, value] of Object.entries(values)) {
    const ours = info.metadata[key];
    if (Array.isArray(value) && !Array.isArray(ours)) {
      // too long to be shown
      expect(ours.length).toBe(value.length);
    } else {
      expect(ours).toEqual(plain(value));
    }
  }
});

const llamaNames = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'blk.0.attn_norm.weight': 'model.layers.0.input_layernorm.weight',
  'blk.0.attn_q.weight': 'model.layers.0.self_attn.q_proj.weight',
  'blk.0.attn_k.weight': 'model.layers.0.self_attn.k_proj.weight',
  'blk.0.attn_v.weight': 'model.layers.0.self_attn.v_proj.weight',
  'blk.0.attn_output.weight': 'model.layers.0.self_attn.o_proj.weight',
  'blk.0.ffn_norm.weight': 'model.layers.0.post_attention_layernorm.weight',
  'blk.0.ffn_gate.weight': 'model.layers.0.mlp.gate_proj.weight',
  'blk.0.ffn_up.weight': 'model.layers.0.mlp.up_proj.weight',
  'blk.0.ffn_down.weight': 'model.layers.0.mlp.down_proj.weight',
  'output_norm.weight': 'model.norm.weight',
};

test.each(names)('%s: tensors', async (name) => {
  const { tensorInfos, tensorDataOffset } = await independent(name);
  const expected = tensorInfos.map(({ name, dtype, shape, offset }) => {
    const [, block, blockBytes] = tensorTypes[GGMLQuantizationType[dtype]];
    const elements = shape.reduce((product, dimension) => product * Number(dimension), 1);
    return {
      name: llamaNames[name] ?? name,
      dtype: GGMLQuantizationType[dtype],
      shape: shape.map(Number).reverse(),
      offset: Number(tensorDataOffset + offset),
      bytes: (elements / block) * blockBytes,
    };
  });
  expect((await inspect(files[name])).tensors).toEqual(expected);
});

test('a decoder shows its sizes and its tokenizer', async () => {
  const info = await inspect(files['tiny-llama']);
  expect(info.config).toMatchObject({
    architecture: 'llama',
    n_vocab: 6,
    n_embd: 16,
    n_heads: 4,
    n_kv_heads: 2,
    n_ff: 32,
  });
  expect(info.tokenizer).toMatchObject({ type: 'SentencePiece', size: 6, special: { bos: 1, eos: 2 } });
});

test('a file that ends early is rejected', async () => {
  const error = await failureOf(() => inspect(files['tiny-llama'].slice(0, -1)));
  expect(error).toMatchObject({ code: 'FORMAT', format: 'gguf' });
});
