// convert against files that the fixtures' generator wrote from the same weights.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { convert as convertModel } from 'quintet';
import { folderTensors, peftFiles, randomParts } from '../helpers/models/adapter_files.mjs';
import { writeHuggingFaceFolder } from '../helpers/models/hugging_face_folder.mjs';
import { readNpy, row } from '../helpers/npy_reader.mjs';
import { expectRefusal, fixture, jsonLines, quintet, quintetJson, scratchFolder, start } from '../helpers/quintet.mjs';
import { collect } from '../helpers/streams.mjs';

const scratch = scratchFolder();
const model = fixture('embd/f32.weights');
const folder = scratch('tiny-bert');
const texts = JSON.parse(readFileSync(fixture('embd/tokens.json')))
  .slice(0, 4)
  .map(({ text }) => text);
const expected = readNpy(fixture('embd/f32.embeddings.npy'));

beforeAll(() => writeHuggingFaceFolder(folder));

async function lowestCosine(file) {
  const { stdout } = await quintet(['embed', '--model', file, '--', ...texts]);
  return Math.min(
    ...jsonLines(stdout).map(({ embedding }, i) => embedding.reduce((sum, x, j) => sum + x * row(expected, i)[j], 0)),
  );
}

const convert = (input, out, ...args) => quintet(['convert', input, '--to', 'weights', '--out', out, ...args]);

test.each([
  [[], 0.9999999, 'FLOAT32'],
  [['--quantize', 'f16'], 0.99999, 'FLOAT16'],
  [['--quantize', 'bf16'], 0.999, 'BFLOAT16'],
  [['--quantize', 'int8-row', '--verify'], 0.99, 'INT8'],
  [['--quantize', 'int8-group', '--group-size', '16', '--verify'], 0.99, 'INT8'],
])('a Hugging Face folder %j', async (args, cosine, dtype) => {
  const out = scratch(`hf-${args.join('')}.weights`);
  const { status, stderr } = await convert(folder, out, ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(await lowestCosine(out)).toBeGreaterThanOrEqual(cosine);
  const [{ tensors }] = await quintetJson(['inspect', out]);
  expect(tensors.find(({ name }) => name.endsWith('intermediate.dense.weight')).dtype).toBe(dtype);
  expect((await quintet(['validate', out])).status).toBe(0);
});

test('the files of a folder one by one give the same bytes', async () => {
  await convert(folder, scratch('whole.weights'));
  const files = ['config.json', 'vocab.txt', 'model.safetensors'].map((name) => `${folder}/${name}`);
  await quintet(['convert', ...files, '--to', 'weights', '--out', scratch('single.weights')]);
  expect(readFileSync(scratch('single.weights')).equals(readFileSync(scratch('whole.weights')))).toBe(true);
});

test('a .weights file is unchanged, also through stdin and stdout', async () => {
  await convert(model, scratch('again.weights'));
  expect(readFileSync(scratch('again.weights')).equals(readFileSync(model))).toBe(true);
  const piped = await quintet(['convert', '-', '--to', 'weights', '--out', '-'], { input: readFileSync(model) });
  expect(piped.stdoutBytes.equals(readFileSync(model))).toBe(true);
});

test('the text settings of a sentence-transformers folder are in the metadata', async () => {
  const modules = [
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
  ];
  writeFileSync(`${folder}/modules.json`, JSON.stringify(modules));
  writeFileSync(`${folder}/sentence_bert_config.json`, JSON.stringify({ max_seq_length: 48 }));
  mkdirSync(`${folder}/1_Pooling`);
  writeFileSync(`${folder}/1_Pooling/config.json`, JSON.stringify({ pooling_mode_cls_token: true }));
  const { status } = await convert(folder, scratch('cls.weights'));
  for (const name of ['modules.json', 'sentence_bert_config.json', '1_Pooling'])
    rmSync(`${folder}/${name}`, { recursive: true });
  expect(status).toBe(0);
  const [{ metadata }] = await quintetJson(['inspect', scratch('cls.weights')]);
  expect(metadata).toMatchObject({ pooling: 'cls', normalize: 'false', max_seq_length: '48' });
});

test('--name is the model_name of the file', async () => {
  await convert(folder, scratch('named.weights'), '--name', 'tiny');
  const [{ metadata }] = await quintetJson(['inspect', scratch('named.weights')]);
  expect(metadata.model_name).toBe('tiny');
});

test('--json reports the size and the verification', async () => {
  const out = scratch('json.weights');
  const [report] = await quintetJson([
    'convert',
    folder,
    '--to',
    'weights',
    '--out',
    out,
    '--quantize',
    'int8-row',
    '--verify',
  ]);
  expect(report).toMatchObject({ out, to: 'weights', quantize: 'int8-row', bytes: readFileSync(out).length });
  const cosines = report.tensors.map(({ cosine }) => cosine);
  expect(cosines.length).toBeGreaterThan(20);
  expect(report.worst.cosine).toBe(Math.min(...cosines));
  expect(report.worst.cosine).toBeGreaterThan(0.99);
  expect(report.worst.maxError).toBe(Math.max(...report.tensors.map(({ maxError }) => maxError)));
});

test('--verify prints the errors of every tensor, and the worst', async () => {
  const { status, stdout } = await convert(folder, scratch('verified.weights'), '--quantize', 'f16', '--verify');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^tensor +largest error +cosine$/m);
  expect(stdout).toMatch(/^encoder\.layer\.0\.intermediate\.dense\.weight +[\d.e-]+ +(1\.000000|0\.9999\d\d)$/m);
  expect(stdout).toMatch(/^worst: largest error [\d.e-]+ in \S+, cosine [\d.]+ in \S+$/m);
});

describe('a conversion that fails', () => {
  test('keeps the older file and leaves nothing else', async () => {
    mkdirSync(scratch('kept'));
    const out = scratch('kept/model.weights');
    writeFileSync(out, 'the older file');
    writeFileSync(scratch('cut.weights'), readFileSync(model).subarray(0, 70_000));
    expectRefusal(await convert(scratch('cut.weights'), out), /^quintet: weights: .+ \(at byte \d+\)$/m);
    expect(readFileSync(out, 'utf8')).toBe('the older file');
    expect(readdirSync(scratch('kept'))).toEqual(['model.weights']);
  });

  test('by a signal leaves nothing', async () => {
    mkdirSync(scratch('interrupted'));
    const watcher = watch(scratch('interrupted'));
    const child = start(['convert', '-', '--to', 'weights', '--out', scratch('interrupted/model.weights')]);
    child.stdin.write(readFileSync(model).subarray(0, 100_000));
    await once(watcher, 'change');
    child.kill('SIGINT');
    watcher.close();
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(readdirSync(scratch('interrupted'))).toEqual([]);
  });

  test('because the folder is not a model', async () => {
    mkdirSync(scratch('empty'));
    expectRefusal(await convert(scratch('empty'), scratch('x.weights')), /config\.json/);
    expect(existsSync(scratch('x.weights'))).toBe(false);
  });
});

describe('--merge', () => {
  const qwen = fixture('families/qwen3');
  const parts = randomParts(folderTensors(qwen), { isWanted: (name) => /[qv]_proj/.test(name) });
  const adapter = scratch('adapter');
  beforeAll(() => {
    mkdirSync(adapter);
    for (const [name, bytes] of Object.entries(peftFiles(parts, { r: 3, lora_alpha: 3 }))) {
      writeFileSync(`${adapter}/${name}`, bytes);
    }
  });

  test('adds adapters to the weights, each with its scale', async () => {
    const out = scratch('merged.amb');
    const args = ['--merge', `${adapter}:0.5`, '--merge', adapter, '--to', 'amb', '--out', out];
    expect(await quintet(['convert', qwen, ...args])).toMatchObject({ status: 0, stderr: '' });
    const merge = [{ adapter, scale: 0.5 }, { adapter }];
    expect(Buffer.compare(readFileSync(out), await collect(convertModel(qwen, { to: 'amb', merge })))).toBe(0);
  });

  test('is not verified', async () => {
    const args = ['--merge', adapter, '--to', 'amb', '--verify', '--out', scratch('verified.amb')];
    expectRefusal(await quintet(['convert', qwen, ...args]), /--verify/);
  });

  test('needs adapters that fit', async () => {
    const args = ['--merge', adapter, '--to', 'amb', '--out', scratch('other.amb')];
    expectRefusal(
      await quintet(['convert', fixture('families/gemma3.gguf'), ...args]),
      /self_attn\.q_proj.*does not fit/,
    );
    expect(existsSync(scratch('other.amb'))).toBe(false);
  });
});
