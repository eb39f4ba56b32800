// `quintet classify` as a child process: pictures, prepared inputs, labels, people's text and JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pictures } from '../../../models/index.js';
import { runCases, small, softmax } from '../helpers/classifier_fixtures.mjs';
import { distance } from '../helpers/expectations.mjs';
import { expectRefusal, fixture, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const model = fixture(small.path);
const [png, jpeg, gray] = ['gradient.png', 'gradient.jpg', 'gray.png'].map((name) => fixture(`images/${name}`));
const count = small.logits.length;
const names = Array.from({ length: count }, (_, i) => `thing ${i}`);

/** A .npy file as NumPy writes it. */
function npy(shape, values, { descr = '<f4', fortran = 'False', version = 1 } = {}) {
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const prefix = version === 1 ? 10 : 12;
  const header = `${dictionary.padEnd(127 - prefix)}\n`;
  const begin = Buffer.alloc(prefix);
  begin.set([0x93, ...Buffer.from('NUMPY'), version, 0]);
  if (version === 1) begin.writeUInt16LE(header.length, 8);
  else begin.writeUInt32LE(header.length, 8);
  return Buffer.concat([begin, Buffer.from(header), Buffer.from(Float32Array.from(values).buffer)]);
}

function written(name, content) {
  writeFileSync(scratch(name), content);
  return scratch(name);
}

const input = written('input.npy', npy(small.shape, small.input()));
const classify = (...args) => quintet(['classify', '--model', model, ...args]);
const classifyJson = (...args) => quintetJson(['classify', '--model', model, ...args]);

test.each(['vanilla', 'dq8', 'sq8'])('a prepared input: the recorded numbers, %s', async (kind) => {
  const { path, shape, input, logits, probabilities, tolerance } = runCases.find(
    (found) => found.kind === kind && found.shape[1] < 200,
  );
  const file = written(`${kind}.npy`, npy([1, ...shape], input()));
  const args = ['classify', '--model', fixture(path), '--kind', kind, '--tensor', file];
  const [raw] = await quintetJson([...args, '--logits']);
  expect(Object.keys(raw)).toEqual(['tensor', 'logits']);
  expect(raw.tensor).toBe(file);
  expect(distance(raw.logits, logits)).toBeLessThanOrEqual(Math.max(tolerance.logits_abs, 1e-6));
  const [{ results }] = await quintetJson([...args, '-k', '100']);
  for (const { index, score } of results) {
    expect(Math.abs(score - probabilities[index])).toBeLessThanOrEqual(tolerance.probabilities_abs);
  }
  expect(results).toHaveLength(logits.length);
});

test('without --model, the bundled classifier and its labels', async () => {
  const [{ results }] = await quintetJson(['classify', '-k', '2', fileURLToPath(pictures.cat)]);
  expect(results.map(({ label }) => label)).toEqual(['Egyptian cat', 'tabby, tabby cat']);
  const { stdout } = await quintet(['classify', '-k', '1', fileURLToPath(pictures.parrot)]);
  expect(stdout).toMatch(/^\S+parrot\.jpg\n +99\.\d\d % +#+ +macaw\n$/);
});

test('--quantize int8 finds the class, and is not for tinyRuntime files', async () => {
  const { stdout } = await quintet(['classify', '-k', '1', '--quantize', 'int8', fileURLToPath(pictures.parrot)]);
  expect(stdout).toMatch(/ macaw\n$/);
  expectRefusal(await classify('--quantize', 'int8', png), /convert/);
});

test('one JSON line per picture, in order', async () => {
  const lines = await classifyJson(png, jpeg, gray);
  expect(lines.map(({ image }) => image)).toEqual([png, jpeg, gray]);
  for (const line of lines) {
    expect(Object.keys(line)).toEqual(['image', 'results']);
    expect(line.results).toHaveLength(5);
    expect(Object.keys(line.results[0])).toEqual(['index', 'label', 'score']);
    expect(line.results[0].label).toBe(`class ${line.results[0].index}`);
  }
  const [{ image, logits }] = await classifyJson('--logits', png);
  expect(image).toBe(png);
  const probabilities = softmax(logits);
  for (const { index, score } of lines[0].results) expect(score).toBeCloseTo(probabilities[index], 5);
});

test('prints percentages, bars and labels for people', async () => {
  const labels = written('labels.txt', `${names.join('\r\n')}\r\n`);
  const { status, stdout, stderr } = await classify('--labels', labels, '--top-k', '2', png, gray);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const [first, second] = stdout.split('\n\n');
  const line = String.raw`  +\d{1,3}\.\d\d %  #* *  thing \d`;
  expect(first).toMatch(new RegExp(`^${png}\n${line}\n${line}$`));
  expect(second).toMatch(new RegExp(`^${gray}\n${line}\n${line}\n$`));
});

test('labels are the lines of a file, or a JSON array; control characters stay out of the terminal', async () => {
  const plain = written('plain.txt', names.join('\n'));
  const json = written('labels.json', JSON.stringify(names));
  for (const labels of [plain, json]) {
    const [{ results }] = await classifyJson('--labels', labels, png);
    expect(results).toHaveLength(5);
    expect(results.map(({ label }) => label)).toEqual(results.map(({ index }) => names[index]));
  }
  const wild = written('wild.json', JSON.stringify(names.map((name) => `\u001b[31m${name}`)));
  const { stdout } = await classify('--labels', wild, png);
  expect(stdout).toMatch(/thing \d/);
  expect(stdout).not.toMatch('\u001b');
});

test('raw numbers for people', async () => {
  const { stdout } = await classify('--tensor', input, '--logits');
  const rows = stdout.trimEnd().split('\n').slice(1);
  expect(rows).toHaveLength(count);
  rows.forEach((row, i) => {
    expect(row).toMatch(new RegExp(`class ${i}$`));
    expect(Number.parseFloat(row)).toBeCloseTo(small.logits[i], 3);
  });
});

test('stdin is a picture, an input or the model', async () => {
  const [named] = await classifyJson(png);
  const piped = await quintet(['classify', '--json', '--model', model, '-'], { input: readFileSync(png) });
  expect(jsonLines(piped.stdout)).toEqual([{ ...named, image: '-' }]);
  const tensor = await quintet(['classify', '--json', '--model', model, '--tensor', '-'], {
    input: readFileSync(input),
  });
  expect(jsonLines(tensor.stdout)[0]).toEqual({ ...(await classifyJson('--tensor', input))[0], tensor: '-' });
  const streamed = await quintet(['classify', '--json', '--model', '-', png], { input: readFileSync(model) });
  expect(jsonLines(streamed.stdout)).toEqual([named]);
});

test('options choose size and normalization', async () => {
  const same = (await classifyJson('--input-size', '224', '--shorter-side', '256', png))[0].results;
  expect(same).toEqual((await classifyJson(png))[0].results);
  const [{ logits }] = await classifyJson(
    '--logits',
    '--input-size',
    '64',
    '--mean',
    '0.5,0.5,0.5',
    '--std',
    '1, 1, 1',
    png,
  );
  expect(logits).not.toEqual((await classifyJson('--logits', '--input-size', '64', png))[0].logits);
});

test.each([
  ['no picture', [], /IMAGE is missing/],
  ['a picture beside an input', ['--tensor', input, png], /too many arguments/],
  ['stdin twice', ['-', '-'], /stdin/],
  ['a kind that is none', ['--kind', 'sq4', png], /vanilla, dq8, sq8/],
  ['another kind than the file’s', ['--kind', 'sq8', png], /tinyruntime/],
  ['no classes', ['-k', '0', png], /--top-k/],
  ['classes of raw numbers', ['-k', '3', '--logits', png], /--logits/],
  ['a size that is none', ['--input-size', 'big', png], /--input-size/],
  ['a monstrous size', ['--input-size', '100000', png], /inputSize/],
  ['a mean that is none', ['--mean', '1,2', png], /--mean takes three numbers/],
  ['labels that are absent', ['--labels', scratch('none.txt'), png], /none\.txt/],
  ['labels of another number', ['--labels', written('two.txt', 'a\nb\n'), png], /2/],
  [
    'labels that are no strings',
    ['--labels', written('wrong.json', '[1]'), png],
    /starts like a JSON array but is not an array of strings/,
  ],
  [
    'labels that are no JSON',
    ['--labels', written('broken.json', '["a"'), png],
    /starts like a JSON array but is not an array of strings/,
  ],
  ['a file that is absent', [scratch('none.png')], /none\.png/],
  ['a file that is no picture', [written('a.txt', 'text')], /a\.txt: an image is neither/],
  ['a picture of 16 bits', [fixture('images/deep.png')], /deep\.png: .*8 bits/],
  ['an animated picture', [fixture('images/animated.png')], /animated\.png: .*animated/],
  ['an input that is no array', ['--tensor', png], /npy/],
  ['an input of doubles', ['--tensor', written('f8.npy', npy([3, 1, 1], [1, 2, 3], { descr: '<f8' }))], /<f8.*float32/],
  [
    'an input by columns',
    ['--tensor', written('fortran.npy', npy([3, 1, 1], [1, 2, 3], { fortran: 'True' }))],
    /column-major/,
  ],
  [
    'an input of a later version',
    ['--tensor', written('v4.npy', npy([3, 1, 1], [1, 2, 3], { version: 4 }))],
    /version 4 is not supported; 1 to 3 are/,
  ],
  [
    'an input with too few values',
    ['--tensor', written('few.npy', npy([3, 2, 1], [1, 2, 3]))],
    /needs 24 bytes.* has 12/,
  ],
  ['an input with a monstrous shape', ['--tensor', written('much.npy', npy([3, 1e9, 1e9], [1]))], /needs \S+ bytes/],
  ['two inputs in one', ['--tensor', written('two.npy', npy([2, 3, 1, 1], [1, 2, 3, 4, 5, 6]))], /\[2, 3, 1, 1\]/],
  ['a flat input', ['--tensor', written('flat.npy', npy([3], [1, 2, 3]))], /\[3\]/],
  ['an input of one channel', ['--tensor', written('gray.npy', npy([1, 64, 64], new Float32Array(4096)))], /channel/],
])('%s: one line and exit status 2', async (_, args, pattern) => {
  expectRefusal(await classify(...args), pattern);
});

test('pictures before a broken one are printed', async () => {
  const { status, stdout, stderr } = await classify('--json', png, fixture('images/deep.png'), jpeg);
  expect(jsonLines(stdout).map(({ image }) => image)).toEqual([png]);
  expect(stderr).toMatch(/^quintet: [^\n]*deep\.png[^\n]*\n$/);
  expect(status).toBe(2);
});

test('an array of version 2 or 3 is read', async () => {
  const expected = (await classifyJson('--tensor', input))[0].results;
  for (const version of [2, 3]) {
    const file = written(`v${version}.npy`, npy(small.shape, small.input(), { version }));
    expect((await classifyJson('--tensor', file))[0].results).toEqual(expected);
  }
});

test('a model of another format is rejected', async () => {
  expectRefusal(
    await quintet(['classify', '--model', fixture('embd/f32.weights'), png]),
    /is read by Embedder, not by ImageClassifier/,
  );
});
