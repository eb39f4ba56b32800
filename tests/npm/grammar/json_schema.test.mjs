// JSON schemas: which are refused, and what others accept, as Ajv sees it. tests/npm/grammar/random_schemas.test.mjs
// has random ones.
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compileGrammar, TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { story } from '../helpers/generator_fixtures.mjs';

const ajv = addFormats(new Ajv({ strict: false, allErrors: false }));
const validates = (schema, value) => ajv.compile(schema)(value);

let generator;
beforeAll(async () => {
  generator = await TextGenerator.load(story, { threads: 1 });
});
afterAll(() => generator.close());

test.each([
  [{ properties: { a: { dependentRequired: {} } } }, 'UNSUPPORTED', 'dependentRequired at #/properties/a '],
  [
    { $defs: { 'a/b': { not: { minLength: 1 } } }, $ref: '#/$defs/a~1b' },
    'UNSUPPORTED',
    'not at #/$defs/a~1b, other than of types',
  ],
  [{ items: { multipleOf: 0 } }, 'INPUT', 'multipleOf at #/items is not a number above 0'],
  [{ items: { multipleOf: 9973 } }, 'INPUT', 'multipleOf 9973, of more than 3000 steps, at #/items'],
  [{ uniqueItems: 1 }, 'INPUT', 'uniqueItems at # is not true or false: 1'],
  [{ items: { $ref: 'Node' } }, 'UNSUPPORTED', '$ref at #/items to "Node", which no $id'],
  [{ type: 'string', format: 'idn-email' }, 'UNSUPPORTED', 'format idn-email at #'],
  [{ pattern: '(?<=a)b' }, 'UNSUPPORTED', 'a look behind at byte 3 at #'],
  [{ propertyNames: { pattern: '\\bx' } }, 'UNSUPPORTED', 'a boundary of words at byte 2 at #/propertyNames'],
  [{ pattern: '(a)\\1' }, 'UNSUPPORTED', 'a backreference'],
  [{ pattern: 'a*^b' }, 'UNSUPPORTED', 'a ^ that may be at the beginning or not'],
  [{ pattern: '\\p{Lu}' }, 'UNSUPPORTED', 'the property Lu of Unicode'],
  [{ patternProperties: { '[a': {} } }, 'INPUT', '[ without ] at byte 2 at #/patternProperties'],
  [{ type: 'object', minProperties: 2 }, 'UNSUPPORTED', 'minProperties and maxProperties at #'],
  [{ $ref: 'https://example.com/other.json' }, 'UNSUPPORTED', '$ref at #'],
  [{ $ref: '#/$defs/none' }, 'INPUT', '$ref at # is not the place of a schema'],
  [{ type: 123 }, 'INPUT', 'type at # is not a type'],
  [{ items: { minLength: -1 } }, 'INPUT', 'minLength at #/items is not a whole number: -1'],
  [{ pattern: '[a' }, 'INPUT', '[ without ]'],
  [{ allOf: [{ type: 'string' }, { type: 'null' }] }, 'INPUT', 'no value validates'],
  [{ pattern: '^a(?=b)$' }, 'INPUT', 'no value validates'],
  [{ properties: { a: { not: {} } }, required: ['a'] }, 'INPUT', 'no value validates'],
  [{ type: 'object', required: ['a'], additionalProperties: false }, 'INPUT', 'no value validates'],
])('%j is rejected with %s', async (jsonSchema, code, message) => {
  expect(await failureOf(compileGrammar({ jsonSchema }))).toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

const accepted = async (jsonSchema, texts) => {
  const grammar = await compileGrammar({ jsonSchema });
  const found = texts.filter((text) => grammar.accepts(text));
  grammar.close();
  return found;
};

test('bounds are exact', async () => {
  for (const [from, to] of [
    [-123, 7],
    [0, 0],
    [9, 10],
    [99, 1234],
    [-5, -5],
  ]) {
    const texts = Array.from({ length: 3000 }, (_, i) => `${i - 1500}`);
    const expected = texts.filter((text) => Number(text) >= from && Number(text) <= to);
    expect(await accepted({ type: 'integer', minimum: from, maximum: to }, texts)).toEqual(expected);
  }
  const decimals = Array.from({ length: 8001 }, (_, i) => `${(i - 4000) / 1000}`).filter((text) => text !== '-0');
  for (const [low, from, high, to] of [
    ['minimum', -1.5, 'maximum', 2.25],
    ['exclusiveMinimum', -1.5, 'exclusiveMaximum', 2.25],
    ['minimum', 0.125, 'exclusiveMaximum', 0.25],
    ['exclusiveMinimum', -3, 'maximum', -1],
    ['exclusiveMinimum', 0, 'exclusiveMaximum', 1],
  ]) {
    const schema = { type: 'number', [low]: from, [high]: to };
    expect(await accepted(schema, decimals)).toEqual(decimals.filter((text) => validates(schema, Number(text))));
  }
});

test('listed names are not additional properties, however they are written', async () => {
  const jsonSchema = {
    type: 'object',
    properties: { ab: { type: 'integer' }, '😀': { type: 'integer' } },
    additionalProperties: { type: 'null' },
  };
  const names = ['"ab"', '"\\u0061b"', '"a\\u0062"', '"\\ud83d\\ude00"', '"😀"'];
  expect(
    await accepted(
      jsonSchema,
      names.map((name) => `{${name}:null}`),
    ),
  ).toEqual([]);
  const others = ['"a"', '"abc"', '"a\\u0063"', '""', '"\\n"', '"😁"', '"\\u0041b"'];
  expect(
    await accepted(
      jsonSchema,
      others.map((name) => `{${name}:null}`),
    ),
  ).toHaveLength(others.length);
});

test('properties are in the order of the schema, or required ones first', async () => {
  const jsonSchema = { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['c'] };
  const texts = ['{"a":1,"b":2,"c":3}', '{"c":3,"a":1,"b":2}', '{"c":3,"b":2}', '{"b":2,"a":1,"c":3}', '{"a":1}'];
  expect(await accepted(jsonSchema, texts)).toEqual(texts.slice(0, 3));
});

test('unique items are distinct values of an enum, in any order', async () => {
  const jsonSchema = {
    type: 'array',
    items: { enum: ['a', 1, null, 'a'] },
    uniqueItems: true,
    minItems: 1,
    maxItems: 2,
  };
  const items = ['"a"', '1', 'null', '2'];
  const lists = [
    [],
    ...items.map((a) => [a]),
    ...items.flatMap((a) => items.map((b) => [a, b])),
    items.slice(0, 3),
  ].map((list) => `[${list}]`);
  const expected = lists.filter((text) => validates(jsonSchema, JSON.parse(text)));
  expect(expected).toHaveLength(9);
  expect(await accepted(jsonSchema, lists)).toEqual(expected);
  const eight = { items: { enum: [...'abcdefgh'] }, uniqueItems: true };
  expect(
    await accepted(eight, ['[]', '["h","a","c"]', '["a","h","a"]', '["h","g","f","e","d","c","b","a"]']),
  ).toHaveLength(3);
  expect(
    await accepted({ type: 'array', items: { type: 'boolean' }, uniqueItems: false, maxItems: 2 }, ['[true,true]']),
  ).toHaveLength(1);
  for (const items of [{ type: 'string' }, { enum: [...'abcdefghi'] }])
    expect(await accepted({ items, uniqueItems: true }, ['["a","b"]'])).toHaveLength(1);
  expect(await accepted({ type: 'array', uniqueItems: true, maxItems: 1 }, ['["a"]', '[1,2]'])).toHaveLength(1);
  expect(
    await accepted({ uniqueItems: true, minProperties: 1, enum: [[1, 1], [1, '1'], {}, { a: 1 }] }, [
      '[1,1]',
      '[1,"1"]',
      '{}',
      '{"a":1}',
    ]),
  ).toEqual(['[1,"1"]', '{"a":1}']);
});

// Each: a schema, and values that belong to it. Ajv decides which of the others do.
const object = (...members) => ({ type: 'object', ...Object.assign({}, ...members) });
test.each([
  [
    object({ propertyNames: { enum: ['b', 'a'] }, additionalProperties: { type: 'integer' } }),
    [{ b: 1, a: 2 }, { a: 2 }, {}],
  ],
  [
    object({ propertyNames: { minLength: 2, maxLength: 3 }, additionalProperties: { type: 'integer' } }),
    [{ ab: 1, abc: 2 }],
  ],
  [object({ propertyNames: { not: { const: 'a' } }, properties: { a: {}, b: { type: 'integer' } } }), [{ b: 1 }, {}]],
  [object({ propertyNames: { type: 'integer' } }), [{}]],
  [object({ propertyNames: { format: 'date' }, additionalProperties: { type: 'null' } }), [{ '2024-02-29': null }]],
  [
    object({
      properties: { ab: { type: 'integer' } },
      patternProperties: { '^a': { minimum: 3 }, b$: { type: 'number' } },
      additionalProperties: { type: 'string' },
    }),
    [{ ab: 3, ac: 4, xb: 1.5, q: 's' }],
  ],
  [object({ patternProperties: { '^a': {}, '^ab': false }, additionalProperties: false }), [{ ac: 1 }, {}]],
  [
    object({
      properties: { a: { type: 'integer' } },
      patternProperties: { b: { type: 'null' } },
      propertyNames: { maxLength: 1 },
    }),
    [{ a: 1, b: null }],
  ],
  [
    {
      allOf: [
        object({ properties: { a: { type: 'integer' } }, unevaluatedProperties: false }),
        { properties: { b: { type: 'integer' } } },
      ],
    },
    [{ a: 1 }, {}],
  ],
  [
    {
      allOf: [object({ properties: { a: { type: 'integer' } } }), { patternProperties: { '^x': { type: 'null' } } }],
      unevaluatedProperties: { type: 'string' },
    },
    [{ a: 1, xa: null, b: 's' }],
  ],
  [object({ maxProperties: 1, additionalProperties: { type: 'integer' } }), [{}, { a: 1 }]],
  [{ type: ['string', 'integer'], not: { enum: ['a', 'abc', 5] } }, ['', 'b', 'ab', 55, 4]],
  [{ not: { const: 'a' } }, ['b', 1, null, {}, []]],
  [{ not: { type: ['string', 'integer'] } }, [1.5, null, [], { a: 1 }]],
  [{ not: { type: 'string', const: 1 } }, ['a', 1, null]],
  [{ type: ['boolean', 'null'], not: { enum: [true, null] } }, [false]],
  [{ enum: ['ab', 'b', 1], pattern: '^a' }, ['ab', 1]],
  [{ enum: ['2024-02-29', '2023-02-29'], format: 'date' }, ['2024-02-29']],
  [{ format: 'date', pattern: '^2024-' }, ['2024-02-29']],
  [{ format: 'email', maxLength: 6 }, ['a@b.co']],
  [{ format: 'hostname' }, ['example.com', 'a']],
  [{ format: 'ipv6' }, ['::1', '1:2:3:4:5:6:7:8', 'fe80::']],
  [{ format: 'uri' }, ['https://a.b/c?d=e#f']],
  [{ format: 'duration' }, ['P1W', 'P1Y2M', 'PT1S']],
  [{ format: 'json-pointer' }, ['', '/a/~0b']],
  [{ format: 'byte' }, ['', 'aGk=']],
  [{ pattern: '^a', allOf: [{ pattern: 'b$' }, { minLength: 3 }] }, ['acb', 'aab']],
  [{ pattern: '^(?:a$|b+c$|d)' }, ['a', 'bbc', 'dx']],
  [
    {
      $id: 'https://example.com/a/root',
      properties: {
        x: { $ref: 'b' },
        y: { $id: 'b', type: 'object', properties: { z: { $ref: '#/$defs/q' } }, $defs: { q: { type: 'null' } } },
      },
      required: ['x'],
    },
    [{ x: { z: null } }],
  ],
  [{ $defs: { x: { $anchor: 'A', type: 'integer' } }, items: { $ref: '#A' } }, [[1], []]],
  [
    {
      type: 'array',
      items: { $ref: 'https://example.com/x#/$defs/b' },
      $defs: { a: { $id: 'https://example.com/x', $defs: { b: { type: 'null' } } } },
    },
    [[null], []],
  ],
])('%j', async (jsonSchema, good) => {
  const grammar = await compileGrammar({ jsonSchema });
  const values = [
    ...[
      '',
      'a',
      'b',
      'c',
      'ab',
      'abc',
      'abcd',
      'aab',
      'acb',
      'ba',
      'bbc',
      'dx',
      'xa',
      '2024-02-29',
      '2023-02-29',
      '2024-02-30',
      'a@b.co',
      'a@bc.com',
      'a-.b',
      '-a',
      'a..b',
      '::1',
      '1::2::3',
      ':',
      'P',
      'P1DT',
      'P1W1D',
      '/a~',
      '~',
      'aGk',
      'a b',
    ],
    ...[0, 1, 5, 55, 1.5, null, true, false, [], [1], ['a'], [null], {}],
    ...['a', 'b', 'c', 'ab', 'ac', 'xb', 'xa', 'q', 'abc', 'abcd', '2024-02-29', '2024-02-30'].flatMap((name) =>
      [1, 3, 's', null].map((value) => ({ [name]: value })),
    ),
    ...[
      { a: 1, b: 2 },
      { a: 1, b: null },
      { a: 1, b: 's' },
      { a: 1, xa: 's' },
      { b: 1, c: 2 },
      { x: { z: null } },
      { x: { z: 1 } },
    ],
  ];
  for (const value of good)
    expect([value, validates(jsonSchema, value), grammar.accepts(JSON.stringify(value))]).toEqual([value, true, true]);
  expect(values.filter((value) => grammar.accepts(JSON.stringify(value)) && !validates(jsonSchema, value))).toEqual([]);
  grammar.close();
});

test('formats of numbers are kept', async () => {
  const numbers = ['2147483647', '2147483648', '-2147483648', '-2147483649', '1.5'];
  expect(await accepted({ type: 'integer', format: 'int32' }, numbers)).toEqual(['2147483647', '-2147483648']);
  expect(await accepted({ type: 'number', format: 'int64' }, numbers)).toEqual(numbers.slice(0, 4));
  expect(await accepted({ type: 'number', format: 'double' }, numbers)).toEqual(numbers);
});

test('json() is the value, or reports that the text was cut', async () => {
  const jsonSchema = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 };
  expect(await generator.generate('x', { jsonSchema, seed: 1 }).json()).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  const cut = await failureOf(generator.generate('x', { jsonSchema, maxTokens: 1 }).json());
  expect(cut).toMatchObject({ code: 'INPUT', message: expect.stringContaining("'length'") });
  const any = await generator.generate('x', { jsonSchema: true, seed: 3, maxTokens: 1 }).text();
  expect(any[0]).toBe('{');
});

test('hostile schemas take bounded time', async () => {
  let deep = {};
  for (let i = 0; i < 5000; i++) deep = { items: deep };
  expect(await failureOf(compileGrammar({ jsonSchema: deep }))).toMatchObject({ code: 'INPUT' });
  const choice = { anyOf: Array.from({ length: 20 }, () => ({ type: 'object' })) };
  expect(
    await failureOf(
      compileGrammar({ jsonSchema: { allOf: [choice, choice, { ...choice }, { ...choice }, { ...choice }] } }),
    ),
  ).toMatchObject({
    code: 'INPUT',
    reason: 'limit',
  });
  expect(await failureOf(compileGrammar({ jsonSchema: { type: 'string', maxLength: 1e9 } }))).toMatchObject({
    code: 'INPUT',
    reason: 'limit',
  });
  // This limits nothing.
  expect(await accepted({ $ref: '#' }, ['1', '{}', ''])).toEqual(['1', '{}']);
});
