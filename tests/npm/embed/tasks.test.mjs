// Adapters of tasks that are added to the weights while they are loaded, compared with the sum computed here.

import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { Embedder } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { safetensorsFile } from '../helpers/models/safetensors_writer.mjs';

const folder = 'encoders/jina-v3-lora';
const names = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];
const bytesOf = (name) => new Uint8Array(readFileSync(fixturePath(`${folder}/${name}`)));
const config = JSON.parse(new TextDecoder().decode(bytesOf('config.json')));
const loaded = [];
afterAll(() => loaded.forEach((embedder) => embedder.close()));

async function load(source, options) {
  const embedder = await Embedder.load(source, options);
  loaded.push(embedder);
  return embedder;
}

/** { name: { shape, data } } of a file of float32 tensors. */
function tensorsOf(bytes) {
  const headerBytes = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerBytes)));
  const of = ({ shape, data_offsets: [begin, end] }) => ({
    shape,
    data: new Float32Array(bytes.slice(8 + headerBytes + begin, 8 + headerBytes + end).buffer),
  });
  const rows = Object.entries(header).filter(([name]) => name !== '__metadata__');
  return Object.fromEntries(rows.map(([name, info]) => [name, of(info)]));
}

/** The files of the model with W + alpha / rank * B A of a task in place of W, and without adapters. */
function mergedFiles(task) {
  const tensors = tensorsOf(bytesOf('model.safetensors'));
  const number = config.lora_adaptations.indexOf(task);
  const rank = config.lora_rank;
  const merged = {};
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    if (/lora_[AB]$/.test(name)) continue;
    const stem = name.replace(/original$/, '0.lora_');
    const a = tensors[`${stem}A`]?.data;
    const b = tensors[`${stem}B`]?.data;
    const [rows, cols] = shape;
    const sum = Float32Array.from(data, (value, at) => {
      if (!a) return value;
      const [row, col] = [Math.floor(at / cols), at % cols];
      let product = 0;
      for (let k = 0; k < rank; ++k)
        product += b[(number * rows + row) * rank + k] * a[(number * rank + k) * cols + col];
      return value + (config.lora_alpha / rank) * product;
    });
    merged[name] = { shape, values: sum };
  }
  return {
    ...Object.fromEntries(names.map((name) => [name, bytesOf(name)])),
    'model.safetensors': safetensorsFile(merged),
  };
}

const ids = [0, 115, 85, 26, 38, 50, 157, 132, 224, 166, 2];
const distance = (a, b) => Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));

test.each(['retrieval.query', 'text-matching'])('the adapter of %s is added', async (task) => {
  const base = await load(fixturePath(folder));
  const embedder = await load(fixturePath(folder), { task });
  const expected = await (await load(mergedFiles(task))).embedIds(ids);
  const vector = await embedder.embedIds(ids);
  expect(distance(vector, expected)).toBeLessThan(1e-5);
  expect(distance(vector, await base.embedIds(ids))).toBeGreaterThan(1e-3);
});

test('an adapter is added before matrices are quantized', async () => {
  const task = 'classification';
  const quantized = await load(fixturePath(folder), { task, quantize: 'int8' });
  const expected = await (await load(mergedFiles(task), { quantize: 'int8' })).embedIds(ids);
  expect(distance(await quantized.embedIds(ids), expected)).toBeLessThan(1e-3);
});

test('the instruction of a task is put before texts', async () => {
  const task = 'retrieval.query';
  const embedder = await load(fixturePath(folder), { task });
  expect(embedder.prompts[task]).toBe(config.task_instructions[task]);
  const explicit = await embedder.embed('hello', { prompt: config.task_instructions[task] });
  expect(distance(await embedder.embed('hello'), explicit)).toBe(0);
});

test('an unknown task is an error that names those of the model', async () => {
  const unknown = await failureOf(() => Embedder.load(fixturePath(folder), { task: 'poetry' }));
  expect(unknown.code).toBe('INPUT');
  expect(unknown.message).toMatch(/"poetry".*retrieval\.query, retrieval\.passage/);
  const none = await failureOf(() => Embedder.load(fixturePath('encoders/jina-v3'), { task: 'separation' }));
  expect(none.message).toMatch(/has no tasks/);
});
