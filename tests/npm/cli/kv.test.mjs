// kv compress, decompress and compare against files and numbers of the fixtures' generator.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readIndependently } from '../helpers/independent_safetensors.mjs';
import { expectRefusal, fixture, quintet, scratchFolder } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const cache = (name) => fixture(`safetensors/${name}`);
const kv = (...args) => quintet(['kv', ...args]);
const cases = JSON.parse(readFileSync(cache('kv_quality.json')));
const packedCases = cases.filter(({ values }) => values);

const rawTensors = (path) => readIndependently(readFileSync(path));
const floats = (bytes) => new Float32Array(new Uint8Array(bytes).buffer);

/** The values of both layers, in the order of the names; a zero with a sign is a zero. */
function valuesOf(file) {
  const names = ['layer_0_key', 'layer_0_value', 'layer_1_key', 'layer_1_value'];
  return names.flatMap((name) => Array.from(floats(file.getTensor(name)), (x) => x + 0));
}
const expectedValues = (name) => Array.from(floats(readFileSync(cache(name))), (x) => x + 0);

function headerOf(path) {
  const bytes = readFileSync(path);
  return JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())));
}
const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const metadataOf = (path) => headerOf(path).__metadata__;

/** A cache of one layer with one head, of sines; `change` may break { name: { shape, data } } first. */
function writeCache(
  name,
  { positions = 2, headDim = 32, scale = 1, metadata = {}, change = (tensors) => tensors } = {},
) {
  const data = Float32Array.from({ length: positions * headDim }, (_, i) => scale * Math.sin(i + 1));
  const shape = [1, 1, positions, headDim];
  const values = { shape, data: data.map((x) => -x) };
  const tensors = Object.entries(change({ layer_0_key: { shape, data }, layer_0_value: values }));
  const header = { __metadata__: metadata };
  let at = 0;
  for (const [tensor, { shape, data }] of tensors) {
    header[tensor] = { dtype: 'F32', shape, data_offsets: [at, (at += data.byteLength)] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const payload = tensors.map(([, { data }]) => new Uint8Array(data.buffer));
  writeFileSync(scratch(name), Buffer.concat([length, text, ...payload]));
  return scratch(name);
}

async function json(...args) {
  const { status, stdout, stderr } = await kv(...args, '--json');
  expect(stderr).toBe('');
  return { status, report: JSON.parse(stdout) };
}

describe('compress', () => {
  const wideCases = packedCases.filter(({ source }) => source === 'wide-f32.safetensors');
  test.each(wideCases)('gives the tensors of $file', async (entry) => {
    const group = entry.file.match(/\d+(?=\.safe)/)[0];
    const out = scratch(`compressed-${group}.safetensors`);
    const { status, report } = await json('compress', cache(entry.source), '--out', out, '--group-size', group);
    expect(status).toBe(0);
    const got = rawTensors(out);
    const wanted = rawTensors(cache(entry.file));
    expect([...got.metadata.keys()].sort()).toEqual([...wanted.metadata.keys()].sort());
    for (const name of wanted.metadata.keys()) {
      const { dtype, shape } = wanted.metadata.get(name);
      expect(got.metadata.get(name)).toMatchObject({ dtype, shape });
      expect(Buffer.compare(got.getTensor(name), wanted.getTensor(name))).toBe(0);
    }
    expect(metadataOf(out)).toMatchObject({
      ...{ compression: 'INT4', group_size: group, layout: 'packed', original_dtype: 'float32' },
    });
    for (const [name, value] of Object.entries(entry.metrics)) {
      expect([name, Math.abs(report[camelCase(name)] / value - 1) < entry.tolerance]).toEqual([name, true]);
    }
    expect(report.compressionRatio).toBeCloseTo(entry.compression_ratio, 9);
    expect(report.storedRatio).toBeCloseTo(entry.stored_ratio, 9);
    expect(report.ratioToF16).toBeCloseTo(entry.stored_ratio / 2, 9);
    expect(report).toMatchObject({
      ...{ qualityLevel: 'ACCEPTABLE', qualityPassed: true, violations: [] },
      ...{ groupSize: Number(group), layout: 'packed', tensors: 4 },
      ...{ originalSizeBytes: 24576, compressedSizeBytes: Math.round(24576 / entry.stored_ratio) },
    });
  });

  test('uses groups of 64 by default, and the whole head if it is smaller', async () => {
    const wide = await json('compress', cache('wide-f32.safetensors'), '--out', scratch('wide.safetensors'));
    expect(wide.report.groupSize).toBe(64);
    const small = await json('compress', cache('kv-f32.safetensors'), '--out', scratch('small.safetensors'));
    expect(small.report).toMatchObject({ groupSize: 8, qualityPassed: true });
    const got = rawTensors(scratch('small.safetensors'));
    const wanted = rawTensors(cache('kv-int4-packed.safetensors'));
    // The fixture has its token ids as a tensor; they are written into the metadata.
    for (const name of [...wanted.metadata.keys()].filter((key) => key !== 'token_ids')) {
      expect(Buffer.compare(got.getTensor(name), wanted.getTensor(name))).toBe(0);
    }
  });

  test('layout float stores the rounded values in the type of the source', async () => {
    for (const dtype of ['f32', 'f16', 'bf16']) {
      const out = scratch(`float-${dtype}.safetensors`);
      const { report } = await json('compress', cache(`kv-${dtype}.safetensors`), '--out', out, '--layout', 'float');
      expect(report).toMatchObject({ layout: 'float', storedRatio: 1, groupSize: 8 });
      expect(rawTensors(out).metadata.get('layer_1_value').dtype).toBe(dtype.toUpperCase());
    }
    expect(valuesOf(rawTensors(scratch('float-f32.safetensors')))).toEqual(expectedValues('kv-int4-packed.values.f32'));
  });

  test('keeps token ids and metadata', async () => {
    await kv('compress', cache('kv-f16.safetensors'), '--out', scratch('kept.safetensors'));
    expect(metadataOf(scratch('kept.safetensors'))).toMatchObject({
      model: 'tiny-llama',
      seq_len: '8',
      rope_theta: '10000.0',
      original_dtype: 'float16',
    });
    // The fixture has them as a tensor, in I32.
    const stored = Uint8Array.from(rawTensors(cache('kv-f16.safetensors')).getTensor('token_ids'));
    expect(metadataOf(scratch('kept.safetensors')).token_ids).toBe(new Int32Array(stored.buffer).join(','));
    expect(rawTensors(scratch('kept.safetensors')).metadata.has('token_ids')).toBe(false);
  });

  test('from stdin to stdout gives the bytes of a file, and the report to stderr', async () => {
    const { stdout } = await kv('compress', cache('kv-f32.safetensors'), '--out', scratch('file.safetensors'));
    const input = readFileSync(cache('kv-f32.safetensors'));
    const piped = await quintet(['kv', 'compress', '-', '--out', '-'], { input });
    expect(piped.status).toBe(0);
    expect(piped.stdoutBytes.equals(readFileSync(scratch('file.safetensors')))).toBe(true);
    expect(piped.stderr).toBe(stdout);
    expect(stdout).toMatch(/^tensors +4, layout packed, groups of 8$/m);
    expect(stdout).toMatch(/^SNR +22\.72 dB$/m);
    expect(stdout).toMatch(/^quality +ACCEPTABLE, passed$/m);
  });

  test('of large values misses limits: a note, and with --check exit status 1 and no file', async () => {
    const large = writeCache('large.safetensors', { scale: 1000 });
    const noted = await kv('compress', large, '--out', scratch('noted.safetensors'));
    expect(noted.status).toBe(0);
    expect(noted.stderr).toMatch(
      /^quintet: safetensors: the loss exceeds the limits: RMSE [\d.]+ >= 0\.1, max error [\d.]+ >= 0\.5\n$/,
    );
    expect(noted.stdout).toMatch(/^quality +POOR, not passed$/m);

    mkdirSync(scratch('checked'));
    const checked = await kv('compress', large, '--out', scratch('checked/x.safetensors'), '--check', '--json');
    expect(checked.status).toBe(1);
    const { qualityPassed, violations } = JSON.parse(checked.stdout);
    expect({ qualityPassed, missed: violations.length }).toEqual({ qualityPassed: false, missed: 2 });
    expect(readdirSync(scratch('checked'))).toEqual([]);
    const piped = await kv('compress', large, '--out', '-', '--check');
    expect({ status: piped.status, stdout: piped.stdout }).toEqual({ status: 1, stdout: '' });
    const good = await kv('compress', cache('wide-f32.safetensors'), '--out', scratch('good.safetensors'), '--check');
    expect(good.status).toBe(0);
  });

  test('keeps the older file if it fails', async () => {
    mkdirSync(scratch('older'));
    const out = scratch('older/cache.safetensors');
    writeFileSync(out, 'the older file');
    expectRefusal(
      await kv('compress', writeCache('wide.safetensors', { headDim: 80 }), '--out', out, '--group-size', '32'),
    );
    writeFileSync(scratch('cut.safetensors'), readFileSync(cache('kv-f32.safetensors')).subarray(0, 2000));
    expectRefusal(
      await kv('compress', scratch('cut.safetensors'), '--out', out),
      /^quintet: safetensors: .+ \(at byte \d+\)$/m,
    );
    expect(readFileSync(out, 'utf8')).toBe('the older file');
    expect(readdirSync(scratch('older'))).toEqual(['cache.safetensors']);
  });

  test.each(['kv-int4-packed.safetensors', 'kv-int4-float.safetensors', 'wide-int4-float-64.safetensors'])(
    'refuses %s, which is compressed already',
    async (name) => {
      expectRefusal(await kv('compress', cache(name), '--out', scratch('twice.safetensors')), /already INT4/);
      expect(existsSync(scratch('twice.safetensors'))).toBe(false);
    },
  );
});

describe('decompress', () => {
  test.each(packedCases)('gives the values of $file', async ({ file, values }) => {
    const out = scratch(`plain-${file}`);
    expect((await kv('decompress', cache(file), '--out', out)).status).toBe(0);
    const got = rawTensors(out);
    expect(valuesOf(got)).toEqual(expectedValues(values));
    expect(got.metadata.get('layer_1_key').dtype).toBe('F32');
    const metadata = metadataOf(out) ?? {};
    for (const key of ['compression', 'group_size', 'layout', 'original_dtype'])
      expect(metadata).not.toHaveProperty(key);
  });

  test('restores the type of the values, ids and metadata', async () => {
    for (const dtype of ['f32', 'f16', 'bf16']) {
      const [packed, plain] = [scratch(`packed-${dtype}.safetensors`), scratch(`plain-${dtype}.safetensors`)];
      await kv('compress', cache(`kv-${dtype}.safetensors`), '--out', packed);
      const { report } = await json('decompress', packed, '--out', plain);
      const bytes = 4 * 2 * 8 * 8 * (dtype === 'f32' ? 4 : 2);
      expect(report).toEqual({ out: plain, dtype: dtype.toUpperCase(), layers: 2, positions: 8, bytes });
      expect(rawTensors(plain).metadata.get('layer_0_key').dtype).toBe(dtype.toUpperCase());
      expect(metadataOf(plain)).toMatchObject({ model: 'tiny-llama', seq_len: '8' });
      expect(metadataOf(plain).token_ids).toMatch(/^\d+(,\d+){7}$/);
    }
  });

  test('goes through stdin and stdout', async () => {
    await kv('decompress', cache('kv-int4-packed.safetensors'), '--out', scratch('d.safetensors'));
    const input = readFileSync(cache('kv-int4-packed.safetensors'));
    const piped = await quintet(['kv', 'decompress', '-', '--out', '-'], { input });
    expect(piped.stdoutBytes.equals(readFileSync(scratch('d.safetensors')))).toBe(true);
  });

  test('rejects a plain file', async () => {
    expectRefusal(
      await kv('decompress', cache('kv-f32.safetensors'), '--out', scratch('x.safetensors')),
      /not compressed/,
    );
  });
});

describe('compare', () => {
  test.each(cases)('of $file with its source gives the numbers of the generator', async (entry) => {
    const { status, report } = await json('compare', cache(entry.source), cache(entry.file));
    expect(status).toBe(0);
    for (const [name, value] of Object.entries(entry.metrics)) {
      expect([name, Math.abs(report[camelCase(name)] / value - 1) < entry.tolerance]).toEqual([name, true]);
    }
    if (entry.compression_ratio) expect(report.compressionRatio).toBeCloseTo(entry.compression_ratio, 6);
    if (entry.stored_ratio) expect(report.storedRatio).toBeCloseTo(entry.stored_ratio, 9);
    expect(Object.keys(report).sort()).toEqual([
      ...['compressedSizeBytes', 'compressionRatio', 'cosineSimilarity', 'groupSize', 'layout', 'maxError'],
      ...['originalSizeBytes', 'qualityLevel', 'qualityPassed', 'ratioToF16', 'rmse', 'snrDb', 'storedRatio'],
      ...['tensors', 'violations'],
    ]);
  });

  test('of a file with itself finds no error', async () => {
    const { status, report } = await json('compare', cache('kv-f32.safetensors'), cache('kv-f32.safetensors'));
    expect(status).toBe(0);
    expect(report).toMatchObject({
      ...{ rmse: 0, maxError: 0, snrDb: null, qualityLevel: 'EXCELLENT', qualityPassed: true },
      ...{ compressionRatio: 1, storedRatio: 1, ratioToF16: 0.5, groupSize: null, layout: 'plain' },
    });
    const { stdout } = await kv('compare', cache('kv-f32.safetensors'), cache('kv-f32.safetensors'));
    expect(stdout).toMatch(/^SNR +no error at all$/m);
  });

  test('of packed values with the same as floats finds no error; types may differ', async () => {
    const same = await json('compare', cache('kv-int4-float.safetensors'), cache('kv-int4-packed.safetensors'));
    expect(same.report).toMatchObject({ snrDb: null, maxError: 0 });
    const halves = await json('compare', cache('kv-f32.safetensors'), cache('kv-f16.safetensors'));
    expect(halves.report).toMatchObject({ compressionRatio: 2, qualityLevel: 'EXCELLENT', tensors: 4 });
    expect(halves.report.maxError).toBeGreaterThan(0);
  });

  test('exit status 1 if a limit is missed, with a line that names it', async () => {
    const plain = writeCache('a.safetensors');
    const changed = writeCache('b.safetensors', {
      change: ({ layer_0_key, layer_0_value }) => ({
        layer_0_key: { ...layer_0_key, data: layer_0_key.data.map((x) => 3 * x + 1) },
        layer_0_value,
      }),
    });
    const { status, stdout, stderr } = await kv('compare', plain, changed, '--json');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^quintet: safetensors: the loss exceeds the limits: RMSE [^\n]+ max error [^\n]+\n$/);
    const { qualityPassed, violations, rmse, maxError } = JSON.parse(stdout);
    expect({ qualityPassed, count: violations.length > 1 }).toEqual({ qualityPassed: false, count: true });
    // 2 sin + 1 in the keys, nothing in the values.
    const errors = Array.from({ length: 64 }, (_, i) => 2 * Math.sin(i + 1) + 1);
    expect(maxError).toBeCloseTo(Math.max(...errors.map(Math.abs)), 5);
    expect(rmse).toBeCloseTo(Math.sqrt(errors.reduce((sum, x) => sum + x * x, 0) / 64) / 2, 5);
  });

  test('caches of other shapes cannot be compared', async () => {
    expectRefusal(await kv('compare', cache('kv-f32.safetensors'), cache('wide-f32.safetensors')), /shapes/);
    const [two, three] = [writeCache('two.safetensors'), writeCache('three.safetensors', { positions: 3 })];
    expectRefusal(await kv('compare', two, three), /\[1, 1, 2, 32\] and \[1, 1, 3, 32\]/);
  });
});

describe('errors are one line and exit status 2', () => {
  const out = ['--out', scratch('never.safetensors')];
  const plain = cache('kv-f32.safetensors');
  test.each([
    ['an unknown command', ['shrink'], /kv: unknown command 'shrink'; 'quintet help kv' lists the commands/],
    ['a misspelt command', ['compres'], /kv: unknown command 'compres'; did you mean 'compress'\?/],
    ['a name that every object has', ['constructor'], /unknown command 'constructor'/],
    ['an option before the command', ['--json', 'compare'], /unknown option '--json'/],
    ['the layout as -l', ['compress', plain, ...out, '-l', 'float'], /kv compress: '-l' is now '--layout'/],
    ['compress without a file', ['compress', ...out], /IN is missing/],
    ['compress without --out', ['compress', plain], /--out is missing/],
    ['two inputs', ['compress', plain, plain, ...out], /too many arguments/],
    ['a group of 16', ['compress', plain, ...out, '--group-size', '16'], /--group-size takes 32, 64, 128, not '16'/],
    [
      'a layout that is none',
      ['compress', plain, ...out, '--layout', 'plain'],
      /--layout takes packed, float, not 'plain'/,
    ],
    ['an option of another command', ['decompress', plain, ...out, '--group-size', '64'], /--group-size/],
    ['compare with one file', ['compare', plain], /B is missing/],
    ['stdin twice', ['compare', '-', '-'], /stdin/],
    ['a file that is not there', ['compare', plain, scratch('no-such-file')], /no-such-file/],
    ['a folder', ['compress', scratch('.'), ...out], /is a directory/],
    ['a model', ['compress', fixture('amb/llama-f32.amb'), ...out], /^quintet: safetensors: /],
    ['tensors of something else', ['compress', cache('dtypes.safetensors'), ...out], /^quintet: safetensors: .*f64/],
    ['stdin without bytes', ['decompress', '-', ...out], /^quintet: safetensors: /],
  ])('%s', async (_, args, pattern) => {
    expectRefusal(await kv(...args), pattern);
    expect(existsSync(scratch('never.safetensors'))).toBe(false);
  });

  test('a group that does not divide the head', async () => {
    const file = writeCache('narrow.safetensors', { headDim: 80 });
    expectRefusal(await kv('compress', file, ...out, '--group-size', '64'), /80/);
    expectRefusal(
      await kv('compress', writeCache('odd.safetensors', { headDim: 33 }), ...out),
      /INT4 for heads of 33 values is not supported, only even numbers/,
    );
  });

  test('a value that is not finite', async () => {
    const change = (tensors) => {
      tensors.layer_0_value.data[7] = Infinity;
      return tensors;
    };
    expectRefusal(await kv('compress', writeCache('infinite.safetensors', { change }), ...out), /layer_0_value/);
  });

  test('a tensor that is missing, and metadata that contradict the tensors', async () => {
    const change = ({ layer_0_key }) => ({ layer_0_key });
    expectRefusal(
      await kv('compress', writeCache('half.safetensors', { change }), ...out),
      /keys, values or scales are missing/,
    );
    const contradicted = writeCache('long.safetensors', { metadata: { seq_len: '3' } });
    expectRefusal(await kv('compress', contradicted, ...out), /seq_len/);
  });
});

test.each(['compress', 'decompress', 'compare'])('kv %s --help shows its usage', async (command) => {
  const { status, stdout, stderr } = await kv(command, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: quintet kv ${command} `));
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});
