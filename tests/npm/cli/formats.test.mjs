// The commands about files, with files of every format.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTensor } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { pictures } from '../../../models/index.js';
import { withClassifier } from '../helpers/classifier_fixtures.mjs';
import { readNpy } from '../helpers/npy_reader.mjs';
import { expectRefusal, fixture, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';
import { modelNamed, pathOf } from '../helpers/vision_fixtures.mjs';

const scratch = scratchFolder();
const files = {
  amb: fixture('amb/llama-int4block.amb'),
  alt: fixture('alt/q8-aff.alt'),
  weights: fixture('embd/int8-row.weights'),
  safetensors: fixture('safetensors/dtypes.safetensors'),
  tinyruntime: fixture('tinyruntime/small-dq.bin'),
};
const formats = Object.keys(files);
const matrix = 'model.layers.0.mlp.gate_proj.weight';

test.each(formats)('inspect describes a %s file for people', async (format) => {
  const [info] = await quintetJson(['inspect', files[format]]);
  const { status, stdout, stderr } = await quintet(['inspect', files[format]]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^format +\S/m);
  expect(stdout).toMatch(/^memory +about [\d.]+ \w+ when loaded$/m);
  for (const { name } of info.tensors) expect(stdout).toContain(`  ${name} `);
  expect(stdout).toContain(`tensors (${info.tensors.length})`);
  for (const key of Object.keys(info.config)) expect(stdout).toContain(`  ${key} `);
  if (format === 'amb') expect(stdout).toMatch(/gate_proj\.weight +INT4BLOCK x32 FP16 +\[48, 32\]/);
});

test('inspect shows people the beginning of a long text, and programs the whole text', async () => {
  const file = scratch('long.safetensors');
  const config = JSON.stringify({ labels: 'a class, '.repeat(1000) });
  writeFileSync(file, await writeSafetensors(new Map(), { 'config.json': config }));
  const { stdout } = await quintet(['inspect', file]);
  expect(stdout).toMatch(/^ {2}config\.json +\{"labels":"a class, .* … \(9013 characters; --json shows all\)$/m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(2100);
  expect((await quintetJson(['inspect', file]))[0].metadata['config.json']).toBe(config);
});

test('validate reports for files of all formats that they are valid', async () => {
  const { status, stdout } = await quintet(['validate', '--json', ...Object.values(files)]);
  expect(status).toBe(0);
  expect(jsonLines(stdout)).toMatchObject(formats.map((format) => ({ valid: true, format })));
});

test.each([
  ['amb', matrix],
  ['alt', matrix],
  ['safetensors', 'f16'],
])('tensor writes one of a %s file', async (format, name) => {
  const [{ shape }] = await quintetJson(['tensor', files[format], name, '--out', scratch('t.npy')]);
  const { shape: written, values } = readNpy(scratch('t.npy'));
  expect(written).toEqual(shape);
  // tests/npm/inspect/formats.test.mjs compares these with the generator's.
  const { data } = await readTensor(files[format], name);
  expect(values).toEqual(data);
  expect(values.some((value) => value !== 0)).toBe(true);
});

test.each(formats)('convert of a %s file to its own format, verified', async (format) => {
  const out = scratch(`same.${format}`);
  const { status, stdout, stderr } = await quintet([
    'convert',
    files[format],
    '--to',
    format,
    '--out',
    out,
    '--verify',
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^worst: largest error 0(\.0+)?, cosine 1\.000000$/m);
  const [before] = await quintetJson(['inspect', files[format]]);
  const [after] = await quintetJson(['inspect', out]);
  expect(after.tensors.map(({ name, dtype }) => [name, dtype]).sort()).toEqual(
    before.tensors.map(({ name, dtype }) => [name, dtype]).sort(),
  );
});

test.each([
  ['amb/llama-f32.amb', 'amb', ['--quantize', 'int4', '--group-size', '16', '--scale-type', 'fp32']],
  ['amb/llama-f32.amb', 'amb', ['--quantize', 'int5', '--group-size', '0']],
  ['amb/llama-f32.amb', 'amb', ['--quantize', 'adaptive', '--bits', '4.5']],
  ['alt/f32.alt', 'alt', ['--quantize', 'int8']],
  ['amb/mistral-window.amb', 'alt', []],
  ['alt/f32.alt', 'amb', ['--quantize', 'int8']],
  ['embd/f32.weights', 'weights', ['--quantize', 'int8-group', '--group-size', '16']],
  ['tinyruntime/small-dq.bin', 'safetensors', ['--quantize', 'none']],
])('convert %s --to %s %j --verify', async (file, to, args) => {
  const out = scratch('converted');
  const { status, stdout, stderr } = await quintet([
    'convert',
    fixture(file),
    '--to',
    to,
    '--out',
    out,
    '--verify',
    ...args,
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^worst: /m);
  expect((await quintet(['validate', out])).status).toBe(0);
});

test.each(['dq8', 'dq8-symmetric'])('%s is made, and said to save memory only', async (quantize) => {
  const out = scratch(`${quantize}.bin`);
  const input = fixture('tinyruntime/small-vanilla.bin');
  const args = ['--to', 'tinyruntime', '--quantize', quantize, '--group-size', '32', '--verify', '--out', out];
  const { status, stdout, stderr } = await quintet(['convert', input, ...args]);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^dq8 saves memory, not time: .* 1\.35 times .*\n$/),
  });
  expect(stdout).toMatch(/^worst: /m);
  expect((await quintet(['validate', out])).status).toBe(0);
});

test('--verify rejects a result that is too far from the source, and leaves no file', async () => {
  // One value so large that all others of its matrix round to nothing.
  const [info] = await quintetJson(['inspect', fixture('amb/llama-f32.amb')]);
  const { offset, bytes } = info.tensors.find(({ name }) => name === matrix);
  const file = readFileSync(fixture('amb/llama-f32.amb'));
  const values = Array.from({ length: bytes / 4 }, (_, i) => file.readFloatLE(offset + 4 * i));
  const norm = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  file.writeFloatLE(norm, offset);
  writeFileSync(scratch('outlier.amb'), file);
  mkdirSync(scratch('refused'));
  const args = ['convert', scratch('outlier.amb'), '--to', 'amb', '--out', scratch('refused/x.amb'), '--verify'];
  const { status, stderr } = await quintet([...args, '--quantize', 'int4', '--group-size', '0']);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^quintet: amb: verification failed: the cosine of model\.layers\.0\.mlp\.gate_proj\.weight is 0\.\d+, below 0\.95\n$/,
  );
  expect(readdirSync(scratch('refused'))).toEqual([]);
  expect((await quintet([...args, '--quantize', 'int8', '--group-size', '32'])).status).toBe(0);
});

test.each([
  [['--to', 'amb', '--quantize', 'int3'], /--quantize takes/],
  [['--to', 'amb', '--group-size', '-1'], /--group-size/],
  [['--to', 'amb', '--bits', 'many'], /--bits takes a number/],
  [['--to', 'amb', '--quantize', 'int8', '--bits', '5'], /bits/],
  [['--to', 'alt', '--quantize', 'int5'], /quantize/],
  [['--to', 'amb', '--quantize', 'int8', '--calibrate', '.'], /calibration/],
  [['--to', 'weights'], /does not support a decoder; supported are amb, alt, safetensors/],
])('convert %j is rejected in one line', async (args, pattern) => {
  expectRefusal(await quintet(['convert', fixture('amb/llama-f32.amb'), ...args, '--out', scratch('none')]), pattern);
  expect(existsSync(scratch('none'))).toBe(false);
  expect(readdirSync(scratch('')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('--verify with pictures reports how often an image classifier finds the same classes', async () => {
  const [source, folder, out] = [
    pathOf(modelNamed('mobilenet-v2-timm')),
    dirname(fileURLToPath(pictures.cat)),
    scratch('int8'),
  ];
  const args = ['convert', source, '--to', 'safetensors', '--quantize', 'int8', '--out', out, '--verify'];
  const [{ agreement }] = await quintetJson([...args, '--calibrate', folder]);
  const bestOf = (path) =>
    withClassifier(path, {}, async (classifier) => {
      const files = Object.values(pictures).map((url) => readFileSync(url));
      return (await classifier.classifyBatch(files)).map((classes) => classes.map(({ index }) => index));
    });
  const [expected, found] = [await bestOf(source), await bestOf(out)];
  const common = expected.map((classes, i) => classes.filter((index) => found[i].includes(index)).length / 5);
  expect(agreement.pictures).toBe(expected.length);
  expect(agreement.best).toBe(expected.filter(([first], i) => first === found[i][0]).length);
  expect(agreement.top5).toBeCloseTo(common.reduce((sum, part) => sum + part) / expected.length, 10);
  const { stdout } = await quintet([...args, '--calibrate', folder]);
  expect(stdout).toContain(`the same best one for ${agreement.best} of ${expected.length} pictures`);
});

test('sq8 without pictures is rejected', async () => {
  const args = ['convert', fixture('tinyruntime/r18-plain-vanilla.bin'), '--to', 'tinyruntime', '--quantize', 'sq8'];
  expectRefusal(await quintet([...args, '--out', scratch('none')]), /calibration/);
  mkdirSync(scratch('no-pictures'));
  expectRefusal(
    await quintet([...args, '--out', scratch('none'), '--calibrate', scratch('no-pictures')]),
    /no-pictures/,
  );
  expect(existsSync(scratch('none'))).toBe(false);
});

describe('a folder of shards', () => {
  const folder = scratch('sharded');
  const list = `${folder}/model.safetensors.index.json`;

  beforeAll(async () => {
    // The fixture's BERT in two files, and next to them its author's own, which contains something else.
    const { writeHuggingFaceFolder } = await import('../helpers/models/hugging_face_folder.mjs');
    writeHuggingFaceFolder(folder);
    const { tensors, metadata } = await readSafetensors(`${folder}/model.safetensors`);
    writeFileSync(scratch('whole.safetensors'), readFileSync(`${folder}/model.safetensors`));
    const rows = [...tensors];
    const parts = [rows.filter((_, i) => i % 2 === 0), rows.filter((_, i) => i % 2 === 1)];
    const weightMap = {};
    for (const [i, part] of parts.entries()) {
      const name = `model-0000${i + 1}-of-00002.safetensors`;
      writeFileSync(`${folder}/${name}`, await writeSafetensors(part, metadata));
      for (const [tensor] of part) weightMap[tensor] = name;
    }
    writeFileSync(list, JSON.stringify({ metadata: {}, weight_map: weightMap }));
    writeFileSync(`${folder}/model.safetensors`, 'not read');
    writeFileSync(`${folder}/consolidated.safetensors`, 'not read');
  });

  test('becomes one file with the same tensors', async () => {
    const { status, stderr } = await quintet([
      'convert',
      folder,
      '--to',
      'weights',
      '--out',
      scratch('sharded.weights'),
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [{ tensors }] = await quintetJson(['inspect', scratch('sharded.weights')]);
    const [{ tensors: expected }] = await quintetJson(['inspect', fixture('embd/f32.weights')]);
    const facts = (list) => list.map(({ name, dtype, shape }) => JSON.stringify([name, dtype, shape])).sort();
    expect(facts(tensors)).toEqual(facts(expected));
  });

  test('that lacks one is rejected with its name', async () => {
    const saved = readFileSync(list);
    writeFileSync(
      list,
      JSON.stringify({ weight_map: { a: 'model-00001-of-00002.safetensors', b: '../lost.safetensors' } }),
    );
    expectRefusal(await quintet(['convert', folder, '--to', 'weights', '--out', scratch('none')]), /lost\.safetensors/);
    writeFileSync(list, '[]');
    expectRefusal(
      await quintet(['convert', folder, '--to', 'weights', '--out', scratch('none')]),
      /not a list of shards/,
    );
    writeFileSync(list, saved);
  });
});
