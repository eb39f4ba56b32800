// Schemas as zod and TypeBox write them (tests/fixtures/schemas): what belongs to them is accepted, and nothing that
// Ajv refuses.
import { readFileSync } from 'node:fs';
import Ajv7 from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compileGrammar } from 'quintet';
import { z } from 'zod';
import { failureOf } from '../helpers/expectations.mjs';

const written = JSON.parse(readFileSync(new URL('../../fixtures/schemas/written.json', import.meta.url), 'utf8'));

/** Schemas that are not supported, and why. */
const refused = {
  'zod never': 'no value validates',
  'typebox 0.34 never': 'no value validates',
  'typebox 1 never': 'no value validates',
  'typebox 0.34 rx': 'type at # is not a type or a list of types: "RegExp"',
  'typebox 0.34 date': 'type at # is not a type or a list of types: "Date"',
  'typebox 0.34 u8': 'type at # is not a type or a list of types: "Uint8Array"',
  'typebox 0.34 undef': 'type at # is not a type or a list of types: "undefined"',
  'typebox 1 undef': 'type at # is not a type or a list of types: "undefined"',
  'typebox 0.34 arr': 'the keyword contains at # is not supported',
  'typebox 1 arr': 'the keyword contains at # is not supported',
};
const isRefused = ([name, schema]) => refused[name] && !schema.properties;

const values = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'abc',
    'c',
    'x',
    'xa',
    'xy',
    'a@b.co',
    'a..b@x',
    '.a@x',
    'a.b@x',
    'foo',
    'xfoox',
    'P',
    'PT',
    'P1W',
    'P1W2D',
    'P1DT',
    'PT1S',
    'P1Y2M',
    'Passw0rd!',
    'password1',
    'id-5',
  ],
  ...[
    'id-x',
    '😀',
    '1',
    '1a',
    '#',
    '2024-02-29',
    '2023-02-29',
    '2024-02-29T00:00:00Z',
    '12:30',
    '24:00',
    '1.2.3.4',
    '256.1.1.1',
    '::1',
    ':::',
    'a\n',
    '\u2028',
    'é',
    'DE00370400440532013000',
  ],
  ...['example.com', '-a.com', 'a-.com', 'https://a.b/c', '+1234567', '+0123456', 'aGk', 'aGk=', 'aGk=='],
  ...[
    0,
    1,
    -1,
    1.5,
    2,
    3,
    5,
    6,
    7,
    10,
    14,
    20,
    98,
    105,
    0.5,
    -0.5,
    0.25,
    0.015,
    1000,
    1500,
    -2147483649,
    null,
    true,
    false,
  ],
  ...[[], ['a'], ['a', 1], ['a', 'b'], ['a', 1, 2], [1]],
  ...[
    {},
    { a: 1 },
    { a: 'x' },
    { a: 'x', b: 1 },
    { a: 'x', b: 1, c: true },
    { a: 'x', b: 1, c: 2 },
    { b: 1 },
    { xa: 1 },
    { xa: 'q' },
    { ya: 1 },
    { 1: 1 },
    { 1: 'x' },
    { '01': 1 },
    { a: 1, b: 2 },
  ],
  ...[
    { a: 1, b: 2, c: 3 },
    { abcd: 1 },
    { 'a\n': 1 },
    { t: 'a', x: 1 },
    { t: 'b', x: 'y' },
    { v: 1 },
    { v: 1, next: null },
    { v: 1, next: { v: 2, next: null } },
    { a: null },
  ],
];

/** Differences of drafts before 2020-12, as Ajv reads them. */
const modern = (schema) => {
  if (Array.isArray(schema)) return schema.map(modern);
  if (schema === null || typeof schema !== 'object') return schema;
  const { nullable, ...all } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, modern(value)]));
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ]) {
    if (all[exclusive] !== true) continue;
    all[exclusive] = all[bound];
    delete all[bound];
  }
  if (all.items?.length === 0) delete all.items;
  if (nullable && !all.type) return { anyOf: [{ type: 'null' }, all] };
  return nullable ? { ...all, nullable } : all;
};
const validator = (schema) => {
  const isOld = JSON.stringify(schema).includes('"items":[') || JSON.stringify(schema).includes('"nullable"');
  // Patterns of zod have no flag u.
  const ajv = addFormats(
    new (isOld ? Ajv7 : Ajv2020)({ strict: false, logger: false, unicodeRegExp: /\\p/.test(JSON.stringify(schema)) }),
  );
  return ajv.compile(modern(schema));
};

test.each(written.filter((each) => !isRefused(each)))('%s', async (name, jsonSchema, good) => {
  const grammar = await compileGrammar({ jsonSchema });
  const validates = validator(jsonSchema);
  for (const value of good)
    expect([value, validates(value), grammar.accepts(JSON.stringify(value))]).toEqual([value, true, true]);
  const wrong = values.filter((value) => grammar.accepts(JSON.stringify(value)) && !validates(value));
  expect(wrong).toEqual([]);
  grammar.close();
});

test.each(written.filter(isRefused))('%s is rejected, and the message explains why', async (name, jsonSchema) => {
  expect(await failureOf(compileGrammar({ jsonSchema }))).toMatchObject({
    message: expect.stringContaining(refused[name]),
  });
});

test('what z.toJSONSchema returns is the schema, with later edits, not its Zod source', async () => {
  const edited = z.toJSONSchema(z.object({ a: z.string(), secret: z.string() }));
  delete edited.properties.secret;
  edited.required = ['a'];
  edited.properties.a.enum = ['x', 'y'];
  const cases = [
    [edited, '{"a":"x"}', '{"a":"zzz","secret":"q"}'],
    [z.toJSONSchema(z.object({ b: z.int().default(3) })), '{"b":3}', '{}'],
    [z.toJSONSchema(z.string().pipe(z.string().max(2))), '"ab"', '"abc"'],
  ];
  for (const [jsonSchema, right, wrong] of cases) {
    const validate = new Ajv2020({ strict: false }).compile(structuredClone(jsonSchema));
    expect([right, wrong].map((text) => validate(JSON.parse(text)))).toEqual([true, false]);
    const grammar = await compileGrammar({ jsonSchema });
    expect([right, wrong].map((text) => grammar.accepts(text))).toEqual([true, false]);
  }
});

test('tuples without items, and large integers as JSON.stringify writes them', async () => {
  const cases = [
    [z.toJSONSchema(z.tuple([])), '[]', '[1]'],
    [z.toJSONSchema(z.tuple([], z.boolean())), '[true,false]', '[1]'],
    [{ const: 1e20 }, JSON.stringify(1e20), '1'],
    [{ enum: [2 ** 64, { a: -(2 ** 63) }] }, JSON.stringify({ a: -(2 ** 63) }), '0'],
  ];
  for (const [jsonSchema, right, wrong] of cases) {
    const grammar = await compileGrammar({ jsonSchema });
    expect([right, wrong].map((text) => grammar.accepts(text))).toEqual([true, false]);
  }
});

test('integers beyond 2^53 keep their digits as bigint', async () => {
  const grammar = await compileGrammar({ jsonSchema: { enum: [2n ** 53n + 1n, -(2n ** 63n), 1n], default: 5n } });
  const texts = ['9007199254740993', '-9223372036854775808', '1', '9007199254740992', '2'];
  expect(texts.map((text) => grammar.accepts(text))).toEqual([true, true, true, false, false]);
  const cyclic = { type: 'object' };
  cyclic.self = cyclic;
  expect(await failureOf(compileGrammar({ jsonSchema: cyclic }))).toMatchObject({ code: 'INPUT' });
});
