// quintet/safetensors: what files hold, what is refused, and that writing and reading are each other's inverse.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { QuintetError } from 'quintet';
import { readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';
import { brokenFiles, fixtureBytes, recipesOf } from '../helpers/broken_files.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { streamOf } from '../helpers/streams.mjs';

const fixture = (path) => fileURLToPath(new URL(`../../fixtures/safetensors/${path}`, import.meta.url));
const json = (path) => JSON.parse(readFileSync(fixture(path), 'utf8'));
const cases = json('expected.json');
const dtypes = new Uint8Array(readFileSync(fixture('dtypes.safetensors')));

/** JSON cannot hold every number of the expectations. */
const plain = (value) => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Number.isFinite(value) ? value : String(value).toLowerCase().replace('infinity', 'inf');
};

/** A header with data after it. */
function fileOf(header, data = new Uint8Array(0)) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return new Uint8Array(Buffer.concat([length, text, data]));
}

describe('reading', () => {
  test.each(cases)('$id', async ({ file, expect: { inspect, values } }) => {
    const { tensors, metadata } = await readSafetensors(fixture(file));
    expect(metadata).toEqual(inspect.metadata ?? {});
    for (const { name, dtype, shape } of inspect.tensors) expect(tensors.get(name)).toMatchObject({ dtype, shape });
    expect(tensors.size).toBe(inspect.tensors.length);
    for (const [name, expected] of Object.entries(values ?? {})) {
      const tensor = tensors.get(name);
      const floats = tensor.dtype === 'F16' || tensor.dtype === 'BF16' ? toFloat32(tensor) : tensor.data;
      expect([name, Array.from(floats, plain)]).toEqual([name, expected]);
    }
  });

  test('an array type for each dtype', async () => {
    const { tensors } = await readSafetensors(dtypes);
    const types = Object.fromEntries([...tensors.values()].map(({ dtype, data }) => [dtype, data.constructor.name]));
    expect(types).toEqual({
      F64: 'Float64Array',
      F32: 'Float32Array',
      F16: 'Uint16Array',
      BF16: 'Uint16Array',
      I64: 'BigInt64Array',
      I32: 'Int32Array',
      I16: 'Int16Array',
      I8: 'Int8Array',
      U64: 'BigUint64Array',
      U32: 'Uint32Array',
      U16: 'Uint16Array',
      U8: 'Uint8Array',
      BOOL: 'Uint8Array',
    });
  });

  test('the same from every kind of source and in chunks of any size', async () => {
    const whole = await readSafetensors(dtypes);
    const sources = [dtypes.buffer.slice(0), new Blob([dtypes]), new Response(dtypes), fixture('dtypes.safetensors')];
    for (const size of [1, 7, 8, 9, 1000, 1001]) sources.push(streamOf(dtypes, size));
    for (const source of sources) expect(await readSafetensors(source)).toEqual(whole);
  });

  test('data at any place are copied where an array needs them aligned, and never shared with the given bytes', async () => {
    const entries = {
      byte: { dtype: 'U8', shape: [1], data_offsets: [0, 1] },
      float: { dtype: 'F32', shape: [1], data_offsets: [1, 5] },
    };
    const file = fileOf(entries, Buffer.from([7, 0, 0, 0x80, 0x3f]));
    const { tensors } = await readSafetensors(file);
    expect(tensors.get('float').data).toEqual(Float32Array.of(1));
    expect(tensors.get('byte').data).toEqual(Uint8Array.of(7));
    file.fill(0, -5);
    expect(tensors.get('byte').data).toEqual(Uint8Array.of(7));
  });

  test('names that are special to JavaScript', async () => {
    const entry = { dtype: 'U8', shape: [], data_offsets: [0, 1] };
    const names = ['__proto__', 'constructor', '1', 'é"\n'];
    const rows = names.map(
      (name, i) => `${JSON.stringify(name)}:${JSON.stringify({ ...entry, data_offsets: [i, i + 1] })}`,
    );
    const text = `{"__metadata__":{"__proto__":"a"},${rows.join(',')}}`;
    const { tensors, metadata } = await readSafetensors(fileOf(text, Uint8Array.of(0, 1, 2, 3)));
    expect([...tensors.keys()]).toEqual(names);
    expect(Object.entries(metadata)).toEqual([['__proto__', 'a']]);
    const again = await readSafetensors(await writeSafetensors({ tensors, metadata }));
    expect([...again.tensors]).toEqual([...tensors].sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(Object.entries(again.metadata)).toEqual([['__proto__', 'a']]);
  });
});

describe('writing', () => {
  const one = { dtype: 'F32', shape: [1], data: Float32Array.of(1) };

  test('the official layout: spaces up to 8 bytes, tensors by the size of their type and by name', async () => {
    const byte = { dtype: 'U8', shape: [1], data: Uint8Array.of(2) };
    const file = await writeSafetensors(
      [
        ['b', byte],
        ['é', one],
        ['z', one],
        ['a', byte],
      ],
      { format: 'pt' },
    );
    const text =
      '{"__metadata__":{"format":"pt"},' +
      '"z":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"é":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},' +
      '"a":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},"b":{"dtype":"U8","shape":[1],"data_offsets":[9,10]}}';
    const headerBytes = Math.ceil(Buffer.byteLength(text) / 8) * 8;
    const expected = fileOf(text + ' '.repeat(headerBytes - Buffer.byteLength(text)));
    expect(Buffer.from(file.subarray(0, expected.length)).toString()).toBe(Buffer.from(expected).toString());
    expect([...file.subarray(expected.length)]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 2, 2]);
  });

  test.each(cases)('$id is written with the same tensors', async ({ file }) => {
    const content = await readSafetensors(fixture(file));
    const written = await writeSafetensors(content);
    const again = await readSafetensors(written);
    expect(again.metadata).toEqual(content.metadata);
    expect(new Map([...again.tensors].sort())).toEqual(new Map([...content.tensors].sort()));
    expect(await writeSafetensors(again.tensors, again.metadata)).toEqual(written);
  });

  test('no metadata, no entry', async () => {
    expect(Buffer.from(await writeSafetensors([])).toString('latin1')).toBe('\x08\0\0\0\0\0\0\0{}      ');
  });

  test.each([
    [undefined, 'wrong_type'],
    [[['a', { dtype: 'F32', shape: [1] }]], 'wrong_type'],
    [[[1, one]], 'wrong_type'],
    [[['a', { ...one, dtype: 'F33' }]], 'unknown_value'],
    [[['a', { ...one, shape: [2] }]], 'mismatch'],
    [[['a', { ...one, shape: [-1] }]], 'mismatch'],
    [
      [
        ['a', one],
        ['a', one],
      ],
      'duplicate',
    ],
    [[['__metadata__', one]], 'duplicate'],
  ])('rejects %j', async (tensors, reason) => {
    expect(await failureOf(writeSafetensors(tensors))).toMatchObject({ code: 'INPUT', reason });
  });

  test('rejects metadata that are not texts', async () => {
    expect(await failureOf(writeSafetensors([], { a: 1 }))).toMatchObject({ code: 'INPUT' });
  });
});

test('any tensors survive the round trip', async () => {
  const bytesPerValue = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I8: 1, U16: 2, BOOL: 1, C64: 8, F8_E4M3: 1 };
  const tensor = fc
    .tuple(fc.constantFrom(...Object.keys(bytesPerValue)), fc.array(fc.nat(4), { maxLength: 3 }), fc.nat(255))
    .map(([dtype, shape, seed]) => {
      const values = shape.reduce((product, size) => product * size, 1);
      return {
        dtype,
        shape,
        data: Uint8Array.from({ length: values * bytesPerValue[dtype] }, (_, i) => seed + 31 * i),
      };
    });
  const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__metadata__');
  const tensors = fc.uniqueArray(fc.tuple(name, tensor), { selector: ([key]) => key, maxLength: 6 });
  const metadata = fc.dictionary(fc.string(), fc.string());
  await fc.assert(
    fc.asyncProperty(tensors, metadata, fc.nat(), async (rows, texts, seed) => {
      const file = await writeSafetensors(rows, texts);
      const shuffled = [...rows].sort((a, b) => ((a[0].length + seed) % 7) - ((b[0].length + seed) % 7));
      expect(await writeSafetensors(shuffled, texts)).toEqual(file);
      const read = await readSafetensors(streamOf(file, 1 + (seed % 50)));
      expect(read.metadata).toEqual({ ...texts });
      expect(read.tensors.size).toBe(rows.length);
      for (const [key, { dtype, shape, data }] of rows) {
        const { data: typed, ...rest } = read.tensors.get(key);
        expect(rest).toEqual({ dtype, shape });
        expect(new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength)).toEqual(data);
      }
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['version https://git-lfs.github.com/spec/v1\noid sha256:0\n', 'a Git LFS pointer'],
  ['<!doctype html><title>Sign in</title>', 'a web page'],
  ['PK\x03\x04\x14\0\0\0\x08\0archive/data.pkl', 'a zip archive'],
])('%j is called %s', async (content, kind) => {
  const error = await readSafetensors(Buffer.from(content, 'latin1')).catch((error) => error);
  expect(error).toMatchObject({
    code: 'FORMAT',
    reason: 'bad_magic',
    message: expect.stringContaining(`it looks like ${kind}`),
  });
});

describe('broken files', () => {
  function expectRefusal(error, length) {
    expect(error).toBeInstanceOf(QuintetError);
    expect(error).toMatchObject({ code: 'FORMAT', format: 'safetensors', reason: expect.any(String) });
    expect(error.message).toMatch(/^safetensors: /);
    expect(error.offset).toBeLessThanOrEqual(length);
    expect(error.offset).toBeGreaterThanOrEqual(0);
  }

  test.each(recipesOf('safetensors'))('$id: $about', async (recipe) => {
    for (const file of brokenFiles(recipe)) {
      const longest = Math.max(file.length, fixtureBytes(recipe.base).length);
      for (const source of [file, streamOf(file, 4096)]) {
        const before = process.cpuUsage();
        const failure = await readSafetensors(source).catch((error) => error);
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1000).toBeLessThan(2000);
        const accepted = !(failure instanceof Error);
        if (recipe.expect !== 'error or ok') expect([recipe.id, accepted]).toEqual([recipe.id, recipe.expect === 'ok']);
        if (!accepted) expectRefusal(failure, longest);
        if (!accepted && recipe.offset !== undefined && source === file) {
          // A space less of padding is a good header; it is the data's size that is wrong then.
          if (recipe.id !== 'bad-st-header-3df')
            expect([recipe.id, failure.offset]).toEqual([recipe.id, recipe.offset]);
        }
      }
    }
  });

  const official = json('cases/expected.json');
  test('all of the official cases are here', () => {
    expect(official.map(({ file }) => file).sort()).toEqual(
      readdirSync(fixture('cases'))
        .filter((name) => name.endsWith('.safetensors'))
        .sort(),
    );
  });

  test.each(official)('official case $file', async ({ file, expect: outcome }) => {
    const bytes = new Uint8Array(readFileSync(fixture(`cases/${file}`)));
    const failure = await readSafetensors(bytes).catch((error) => error);
    // Its README forbids white space before the brace, but its reader accepts it.
    const refused = outcome === 'reject' || file.startsWith('ok_leading_whitespace');
    if (refused) expectRefusal(failure, Math.max(bytes.length, 8));
    else expect(failure.tensors).toBeInstanceOf(Map);
  });

  const entry = (more) => ({ a: { dtype: 'U8', shape: [1], data_offsets: [0, 1], ...more } });
  test.each([
    ['a number with a fraction that is none', '{"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}', 'malformed'],
    ['a number with an exponent', '{"a":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}}', 'malformed'],
    [
      'a key twice, once escaped',
      '{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"dtyp\\u0065":"U8"}}',
      'duplicate',
    ],
    [
      'a product that overflows on the way to zero',
      entry({ shape: [2 ** 40, 2 ** 40, 0], data_offsets: [0, 0] }),
      'mismatch',
    ],
    ['half a byte', entry({ dtype: 'F4' }), 'mismatch'],
  ])('%s', async (_, header, reason) => {
    const failure = await failureOf(readSafetensors(fileOf(header, Uint8Array.of(1))));
    expectRefusal(failure, 200);
    expect(failure.reason).toBe(reason);
  });

  test('an error about a tensor is at its name', async () => {
    const text =
      '{"é":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U9","shape":[1],"data_offsets":[1,2]}}';
    const failure = await failureOf(readSafetensors(fileOf(text, Uint8Array.of(1, 2))));
    expect(failure).toMatchObject({ tensor: 'b', offset: 8 + Buffer.byteLength(text.slice(0, text.indexOf('"b"'))) });
  });

  test.each([
    ['-0', 'malformed'],
    ['-1', 'malformed'],
    ['01', 'malformed'],
    ['9007199254740992', 'limit'],
    ['1'.repeat(400), 'limit'],
    ['null', 'malformed'],
    ['[1]', 'malformed'],
  ])('a dimension of %s', async (number, reason) => {
    const text = `{"a":{"dtype":"U8","shape":[${number}],"data_offsets":[0,1]}}`;
    const failure = await failureOf(readSafetensors(fileOf(text, Uint8Array.of(1))));
    const offset = 8 + text.indexOf('[') + (number === '01' ? 2 : 1);
    expect(failure).toMatchObject({ code: 'FORMAT', reason, tensor: 'a', offset });
  });

  test.each([
    ['a name', '{"\\ud800":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'],
    ['the metadata', '{"__metadata__":{"a":"\\udc00\\ud800"}}'],
  ])('half of a surrogate pair in %s', async (_, header) => {
    expect(await failureOf(readSafetensors(fileOf(header)))).toMatchObject({ code: 'FORMAT', reason: 'invalid_utf8' });
  });

  test.each([
    ['brackets', '{"a":' + '['.repeat(33e6)],
    ['braces', '{"a":'.repeat(6e6)],
    ['empty arrays', '{"a":[' + '[],'.repeat(11e6)],
    ['digits', '{"a":{"shape":[' + '1'.repeat(33e6)],
    ['backslashes', '{"' + '\\'.repeat(33e6)],
    ['members', '{' + '"a":{},'.repeat(5e6)],
  ])('a header of 33 MB of %s is rejected at once', async (_, header) => {
    const file = fileOf(header);
    const before = process.memoryUsage().heapUsed;
    expectRefusal(await failureOf(readSafetensors(file)), file.length);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  });

  test('a text of 100 MB is valid', async () => {
    for (const value of ['x'.repeat(99e6), '\\n'.repeat(49e6)]) {
      const { metadata } = await readSafetensors(fileOf(`{"__metadata__":{"a":"${value}"}}`));
      expect(metadata.a.length).toBe(value[0] === 'x' ? 99e6 : 49e6);
    }
  });

  test('any changed bytes in a header: content like that of JSON.parse, or an error', async () => {
    const headerEnd = 8 + Number(new DataView(dtypes.buffer).getBigUint64(0, true));
    const value = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\0129 ')));
    const change = fc.tuple(fc.nat(headerEnd - 1), value);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const file = dtypes.slice();
        for (const [at, byte] of changes) file[at] = byte;
        const outcome = await readSafetensors(file).catch((error) => error);
        if (outcome instanceof Error) return expectRefusal(outcome, file.length);
        const length = Number(new DataView(file.buffer).getBigUint64(0, true));
        const text = Buffer.from(file.subarray(8, 8 + length)).toString();
        const { __metadata__: metadata = {}, ...header } = JSON.parse(text);
        expect(outcome.metadata).toEqual(metadata);
        expect(new Set(outcome.tensors.keys())).toEqual(new Set(Object.keys(header)));
        for (const [
          name,
          {
            dtype,
            shape,
            data_offsets: [begin, end],
          },
        ] of Object.entries(header)) {
          const { data, ...rest } = outcome.tensors.get(name);
          expect(rest).toEqual({ dtype, shape });
          const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
          expect(bytes).toEqual(file.slice(8 + length + begin, 8 + length + end));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a claim of much data allocates nothing', async () => {
    const huge = { a: { dtype: 'U8', shape: [2 ** 40], data_offsets: [0, 2 ** 40] } };
    expect(await failureOf(readSafetensors(streamOf(fileOf(huge), 100)))).toMatchObject({ reason: 'truncated' });
    expect(await failureOf(readSafetensors(fileOf(huge)))).toMatchObject({ reason: 'truncated' });
  });
});
