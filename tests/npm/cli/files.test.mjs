// inspect, validate and tensor against the descriptions of the fixtures' generator.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { embdFacts } from '../helpers/models/embd_facts.mjs';
import { parseNpy, readNpy } from '../helpers/npy_reader.mjs';
import { expectRefusal, fixture, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const model = fixture('embd/f32.weights');
const expected = embdFacts('f32.weights');
const bytes = readFileSync(model);

function expectFacts(info) {
  expect(info).toMatchObject({
    format: 'weights',
    fileSize: expected.file_size,
    version: expected.version,
    metadata: expected.metadata,
    tensors: expected.tensors,
  });
  expect(info.tokenizer).toMatchObject({ size: expected.vocab_count });
}

/** The stored values of a tensor of a float32 file: its bytes at its offset. */
function storedValues({ offset, bytes: length }) {
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset + offset, bytes.byteOffset + offset + length));
}

describe('inspect', () => {
  test('--json gives one object with the facts, from a file and from stdin', async () => {
    const [fromFile, ...none] = await quintetJson(['inspect', model]);
    expect(none).toEqual([]);
    expectFacts(fromFile);
    expect(await quintetJson(['inspect', '-'], { input: bytes })).toEqual([fromFile]);
  });

  test('prints the same for people', async () => {
    const { status, stdout } = await quintet(['inspect', model]);
    expect(status).toBe(0);
    expect(stdout).toContain('tiny-bert-public');
    for (const { name, shape } of expected.tensors) {
      expect(stdout).toMatch(new RegExp(`^  ${name.replaceAll('.', '\\.')} +FLOAT32 +\\[${shape.join(', ')}\\]`, 'm'));
    }
  });

  test('of a broken file is one line with format and offset', async () => {
    writeFileSync(scratch('cut.weights'), bytes.subarray(0, 40));
    expectRefusal(await quintet(['inspect', scratch('cut.weights')]), /^quintet: weights: .+ \(at byte \d+\)$/m);
  });

  test('of a file that is not a model is one line', async () => {
    writeFileSync(scratch('note.txt'), 'just some text\nand more\n');
    expectRefusal(await quintet(['inspect', scratch('note.txt')]), /not a model file/);
  });
});

describe('validate', () => {
  test('reports for each file that it is valid', async () => {
    const files = ['f32', 'int8-row', 'flat'].map((name) => fixture(`embd/${name}.weights`));
    const { status, stdout, stderr } = await quintet(['validate', ...files]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stdout).toContain(`${files[0]}: valid`);
  });

  test('finds a flipped bit in the data, continues, and ends with exit status 1', async () => {
    const flipped = Buffer.from(bytes);
    flipped[expected.tensors[5].offset] ^= 1;
    writeFileSync(scratch('flipped.weights'), flipped);
    const { status, stdout, stderr } = await quintet(['validate', scratch('flipped.weights'), model, '--json']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^quintet: weights: .+\n$/);
    expect(jsonLines(stdout)).toMatchObject([
      { valid: false, error: { code: 'FORMAT', reason: 'checksum', format: 'weights' } },
      { file: model, valid: true, format: 'weights', tensors: expected.tensors.length },
    ]);
  });
});

describe('tensor', () => {
  test.each([3, 5])('writes the stored values as .npy', async (index) => {
    const tensor = expected.tensors[index];
    const { status } = await quintet(['tensor', model, tensor.name, '--out', scratch('t.npy')]);
    expect(status).toBe(0);
    const npy = readNpy(scratch('t.npy'));
    expect(npy.shape).toEqual(tensor.shape);
    expect(npy.headerEnd % 64).toBe(0);
    expect(npy.header.endsWith('\n')).toBe(true);
    expect([...npy.values]).toEqual([...storedValues(tensor)]);
  });

  test('writes to stdout with -', async () => {
    const tensor = expected.tensors[0];
    const { stdoutBytes } = await quintet(['tensor', '-', tensor.name, '--out', '-'], { input: bytes });
    expect([...parseNpy(stdoutBytes).values]).toEqual([...storedValues(tensor)]);
  });

  test('dequantizes', async () => {
    const name = 'encoder.layer.0.intermediate.dense.weight';
    await quintet(['tensor', fixture('embd/int8-row.weights'), name, '--out', scratch('q.npy')]);
    const { shape, values } = readNpy(scratch('q.npy'));
    const tensor = expected.tensors.find((one) => one.name === name);
    expect(shape).toEqual(tensor.shape);
    const exact = storedValues(tensor);
    for (let r = 0; r < shape[0]; r++) {
      const row = exact.subarray(r * shape[1], (r + 1) * shape[1]);
      const halfStep = Math.max(...row.map(Math.abs)) / 127 / 2;
      row.forEach((value, c) =>
        expect(Math.abs(values[r * shape[1] + c] - value)).toBeLessThanOrEqual(halfStep * 1.001),
      );
    }
  });

  test('rejects an unknown name and leaves no file', async () => {
    expectRefusal(await quintet(['tensor', model, 'no.such.tensor', '--out', scratch('none.npy')]), /no\.such\.tensor/);
    expect(existsSync(scratch('none.npy'))).toBe(false);
    expect(readdirSync(scratch('')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a missing folder is one line', async () => {
    expectRefusal(
      await quintet(['tensor', model, expected.tensors[0].name, '--out', scratch('no/x.npy')]),
      /no\/x\.npy|ENOENT/,
    );
  });
});
