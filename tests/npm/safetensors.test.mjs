// quintet/safetensors: what files hold, what is refused, and that writing and reading are each other's inverse.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readSafetensors, toFloat32, writeSafetensors } from 'quintet/safetensors';
import { QuintetError } from 'quintet';
import { brokenFiles, fixtureBytes, recipesOf } from './broken_files.mjs';
import { failureOf, streamOf } from './fixtures.mjs';

const fixture = (path) => fileURLToPath(new URL(`../fixtures/safetensors/${path}`, import.meta.url));
const json = (path) => JSON.parse(readFileSync(fixture(path), 'utf8'));
const cases = json('expected.json');
const dtypes = new Uint8Array(readFileSync(fixture('dtypes.safetensors')));

/** JSON cannot hold every number of the expectations. */
const plain = (value) => {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Number.isFinite(value) ? value : String(value).toLowerCase().replace('infinity', 'inf');
};

/** A header with data behind it. */
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
      F64: 'Float64Array', F32: 'Float32Array', F16: 'Uint16Array', BF16: 'Uint16Array', I64: 'BigInt64Array',
      I32: 'Int32Array', I16: 'Int16Array', I8: 'Int8Array', U64: 'BigUint64Array', U32: 'Uint32Array',
      U16: 'Uint16Array', U8: 'Uint8Array', BOOL: 'Uint8Array',
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
    const rows = names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify({ ...entry, data_offsets: [i, i + 1] })}`);
    const text = `{"__metadata__":{"__proto__":"a"},${rows.join(',')}}`;
    const { tensors, metadata } = await readSafetensors(fileOf(text, Uint8Array.of(0, 1, 2, 3)));
    expect([...tensors.keys()]).toEqual(names);
    expect(Object.entries(metadata)).toEqual([['__proto__', 'a']]);
    const again = await readSafetensors(await writeSafetensors({ tensors, metadata }));
    expect([...again.tensors]).toEqual([...tensors].sort(([a], [b]) => (a < b ? -1 : 1)));
    expect(Object.entries(again.metadata)).toEqual([['__proto__', 'a']]);
  });
});

describe('small floats as float32', () => {
  const oneByte = Uint8Array.from({ length: 256 }, (_, i) => i);
  const of = (dtype, data) => toFloat32({ dtype, shape: [data.length], data });

  // IEEE 754 binary16 and its like, by their definition.
  function value(bits, exponentBits, mantissaBits, bias) {
    const sign = bits >> (exponentBits + mantissaBits) ? -1 : 1;
    const exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
    const mantissa = (bits & ((1 << mantissaBits) - 1)) / 2 ** mantissaBits;
    if (exponent === (1 << exponentBits) - 1) return mantissa ? NaN : sign * Infinity;
    return sign * (exponent ? (1 + mantissa) * 2 ** (exponent - bias) : mantissa * 2 ** (1 - bias));
  }

  test('F16: all', () => {
    const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
    expect(of('F16', all)).toEqual(Float32Array.from(all, (bits) => value(bits, 5, 10, 15)));
  });

  test('BF16: all', () => {
    const all = Uint16Array.from({ length: 65536 }, (_, i) => i);
    expect(of('BF16', all)).toEqual(Float32Array.from(all, (bits) => value(bits, 8, 7, 127)));
  });

  test('8 bits: all', () => {
    expect(of('F8_E5M2', oneByte)).toEqual(Float32Array.from(oneByte, (bits) => value(bits, 5, 2, 15)));
    const e4m3 = Float32Array.from(oneByte, (bits) =>
      // One exponent more than IEEE 754 would have; only the last value is no number.
      (bits & 0x78) === 0x78 ? (bits & 7) === 7 ? NaN : (bits & 0x80 ? -1 : 1) * (1 + (bits & 7) / 8) * 256 : value(bits, 4, 3, 7));
    expect(of('F8_E4M3', oneByte)).toEqual(e4m3);
    expect(of('F8_E8M0', oneByte)).toEqual(Float32Array.from(oneByte, (e) => (e === 255 ? NaN : 2 ** (e - 127))));
  });

  test('integers and truth values; what is none is refused', async () => {
    expect(of('I64', BigInt64Array.of(-5n, 2n ** 40n))).toEqual(Float32Array.of(-5, 2 ** 40));
    expect(of('BOOL', Uint8Array.of(0, 1))).toEqual(Float32Array.of(0, 1));
    for (const dtype of ['C64', 'F4', 'F6_E2M3']) {
      expect(await failureOf(async () => of(dtype, new Uint8Array(8)))).toMatchObject({ code: 'UNSUPPORTED' });
    }
  });
});

describe('writing', () => {
  const one = { dtype: 'F32', shape: [1], data: Float32Array.of(1) };

  test('the official layout: spaces up to 8 bytes, tensors by the size of their type and by name', async () => {
    const byte = { dtype: 'U8', shape: [1], data: Uint8Array.of(2) };
    const file = await writeSafetensors([['b', byte], ['é', one], ['z', one], ['a', byte]], { format: 'pt' });
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
    [[['a', one], ['a', one]], 'duplicate'],
    [[['__metadata__', one]], 'duplicate'],
  ])('refuses %j', async (tensors, reason) => {
    expect(await failureOf(writeSafetensors(tensors))).toMatchObject({ code: 'INPUT', reason });
  });

  test('refuses metadata that are no texts', async () => {
    expect(await failureOf(writeSafetensors([], { a: 1 }))).toMatchObject({ code: 'INPUT' });
  });
});

test('any tensors come back', async () => {
  const bytesPerValue = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I8: 1, U16: 2, BOOL: 1, C64: 8, F8_E4M3: 1 };
  const tensor = fc
    .tuple(fc.constantFrom(...Object.keys(bytesPerValue)), fc.array(fc.nat(4), { maxLength: 3 }), fc.nat(255))
    .map(([dtype, shape, seed]) => {
      const values = shape.reduce((product, size) => product * size, 1);
      return { dtype, shape, data: Uint8Array.from({ length: values * bytesPerValue[dtype] }, (_, i) => seed + 31 * i) };
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
        const started = performance.now();
        const failure = await readSafetensors(source).catch((error) => error);
        expect(performance.now() - started).toBeLessThan(2000);
        const accepted = !(failure instanceof Error);
        if (recipe.expect !== 'error or ok') expect([recipe.id, accepted]).toEqual([recipe.id, recipe.expect === 'ok']);
        if (!accepted) expectRefusal(failure, longest);
        if (!accepted && recipe.offset !== undefined && source === file) {
          // A space less of padding is a good header; it is the data's size that is wrong then.
          if (recipe.id !== 'bad-st-header-3df') expect([recipe.id, failure.offset]).toEqual([recipe.id, recipe.offset]);
        }
      }
    }
  });

  const official = json('cases/expected.json');
  test('all of the official cases are here', () => {
    expect(official.map(({ file }) => file).sort()).toEqual(
      readdirSync(fixture('cases')).filter((name) => name.endsWith('.safetensors')).sort(),
    );
  });

  test.each(official)('official case $file', async ({ file, expect: outcome }) => {
    const bytes = new Uint8Array(readFileSync(fixture(`cases/${file}`)));
    const failure = await readSafetensors(bytes).catch((error) => error);
    // Its README forbids white space before the brace, its reader takes it.
    const refused = outcome === 'reject' || file.startsWith('ok_leading_whitespace');
    if (refused) expectRefusal(failure, Math.max(bytes.length, 8));
    else expect(failure.tensors).toBeInstanceOf(Map);
  });

  const entry = (more) => ({ a: { dtype: 'U8', shape: [1], data_offsets: [0, 1], ...more } });
  test.each([
    ['a number with a fraction that is none', '{"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}', 'malformed'],
    ['a number with an exponent', '{"a":{"dtype":"U8","shape":[1e0],"data_offsets":[0,1]}}', 'malformed'],
    ['a key twice, once escaped', '{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"dtyp\\u0065":"U8"}}', 'duplicate'],
    ['a product that overflows on the way to zero', entry({ shape: [2 ** 40, 2 ** 40, 0], data_offsets: [0, 0] }), 'mismatch'],
    ['half a byte', entry({ dtype: 'F4' }), 'mismatch'],
  ])('%s', async (_, header, reason) => {
    const failure = await failureOf(readSafetensors(fileOf(header, Uint8Array.of(1))));
    expectRefusal(failure, 200);
    expect(failure.reason).toBe(reason);
  });

  test('an error about a tensor is at its name', async () => {
    const text = '{"é":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U9","shape":[1],"data_offsets":[1,2]}}';
    const failure = await failureOf(readSafetensors(fileOf(text, Uint8Array.of(1, 2))));
    expect(failure).toMatchObject({ tensor: 'b', offset: 8 + Buffer.byteLength(text.slice(0, text.indexOf('"b"'))) });
  });

  test('a claim of much data takes no memory', async () => {
    const huge = { a: { dtype: 'U8', shape: [2 ** 40], data_offsets: [0, 2 ** 40] } };
    expect(await failureOf(readSafetensors(streamOf(fileOf(huge), 100)))).toMatchObject({ reason: 'truncated' });
    expect(await failureOf(readSafetensors(fileOf(huge)))).toMatchObject({ reason: 'truncated' });
  });
});
