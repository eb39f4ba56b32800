// JSON schemas: which are refused, and what others accept, as Ajv sees it. tests/npm/random_schemas.test.mjs has random ones.
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { compileGrammar, TextGenerator } from 'quintet';
import { failureOf } from './fixtures.mjs';
import { story } from './generator_fixtures.mjs';

const ajv = addFormats(new Ajv({ strict: false, allErrors: false }));
const validates = (schema, value) => ajv.compile(schema)(value);

let generator;
beforeAll(async () => {
  generator = await TextGenerator.load(story, { threads: 1 });
});
afterAll(() => generator.close());

test.each([
  [{ properties: { a: { patternProperties: {} } } }, 'UNSUPPORTED', 'patternProperties at #/properties/a '],
  [{ $defs: { 'a/b': { not: {} } }, $ref: '#/$defs/a~1b' }, 'UNSUPPORTED', 'not at #/$defs/a~1b '],
  [{ items: { multipleOf: 3 } }, 'UNSUPPORTED', 'multipleOf at #/items,'],
  [{ uniqueItems: 1 }, 'INPUT', 'uniqueItems at # is not true or false: 1'],
  [{ items: { $id: 'https://example.com/item' } }, 'UNSUPPORTED', '$id at #/items'],
  [{ type: 'string', format: 'hostname' }, 'UNSUPPORTED', 'format hostname at #'],
  [{ pattern: '(?=a)' }, 'UNSUPPORTED', 'a look ahead or behind'],
  [{ pattern: '(a)\\1' }, 'UNSUPPORTED', 'a backreference'],
  [{ pattern: 'a.*b', maxLength: 5 }, 'UNSUPPORTED', 'beside minLength or maxLength at #'],
  [{ $ref: 'https://example.com/other.json' }, 'UNSUPPORTED', '$ref at #'],
  [{ $ref: '#/$defs/none' }, 'INPUT', '$ref at # is not the place of a schema'],
  [{ type: 123 }, 'INPUT', 'type at # is not a type'],
  [{ items: { minLength: -1 } }, 'INPUT', 'minLength at #/items is not a whole number: -1'],
  [{ pattern: '[a' }, 'INPUT', '[ without ]'],
  [{ allOf: [{ type: 'string' }, { type: 'null' }] }, 'INPUT', 'no value validates'],
  [{ type: 'object', required: ['a'], additionalProperties: false }, 'INPUT', 'no value validates'],
])('%j is refused with %s', async (jsonSchema, code, message) => {
  expect(await failureOf(compileGrammar({ jsonSchema }))).toMatchObject({ code, message: expect.stringContaining(message) });
});

const accepted = async (jsonSchema, texts) => {
  const grammar = await compileGrammar({ jsonSchema });
  const found = texts.filter((text) => grammar.accepts(text));
  grammar.close();
  return found;
};

test('bounds are exact', async () => {
  for (const [from, to] of [[-123, 7], [0, 0], [9, 10], [99, 1234], [-5, -5]]) {
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

test('names that are listed are no others, however they are written', async () => {
  const jsonSchema = { type: 'object', properties: { ab: { type: 'integer' }, '😀': { type: 'integer' } }, additionalProperties: { type: 'null' } };
  const names = ['"ab"', '"\\u0061b"', '"a\\u0062"', '"\\ud83d\\ude00"', '"😀"'];
  expect(await accepted(jsonSchema, names.map((name) => `{${name}:null}`))).toEqual([]);
  const others = ['"a"', '"abc"', '"a\\u0063"', '""', '"\\n"', '"😁"', '"\\u0041b"'];
  expect(await accepted(jsonSchema, others.map((name) => `{${name}:null}`))).toHaveLength(others.length);
});

test('the order is that of the schema, or what is required first', async () => {
  const jsonSchema = { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['c'] };
  const texts = ['{"a":1,"b":2,"c":3}', '{"c":3,"a":1,"b":2}', '{"c":3,"b":2}', '{"b":2,"a":1,"c":3}', '{"a":1}'];
  expect(await accepted(jsonSchema, texts)).toEqual(texts.slice(0, 3));
});

test('unique items are different ones of a few, in any order', async () => {
  const jsonSchema = { type: 'array', items: { enum: ['a', 1, null, 'a'] }, uniqueItems: true, minItems: 1, maxItems: 2 };
  const items = ['"a"', '1', 'null', '2'];
  const lists = [[], ...items.map((a) => [a]), ...items.flatMap((a) => items.map((b) => [a, b])), items.slice(0, 3)].map((list) => `[${list}]`);
  const expected = lists.filter((text) => validates(jsonSchema, JSON.parse(text)));
  expect(expected).toHaveLength(9);
  expect(await accepted(jsonSchema, lists)).toEqual(expected);
  const eight = { items: { enum: [...'abcdefgh'] }, uniqueItems: true };
  expect(await accepted(eight, ['[]', '["h","a","c"]', '["a","h","a"]', '["h","g","f","e","d","c","b","a"]'])).toHaveLength(3);
  expect(await accepted({ type: 'array', items: { type: 'boolean' }, uniqueItems: false, maxItems: 2 }, ['[true,true]'])).toHaveLength(1);
  for (const items of [{ type: 'string' }, { enum: [...'abcdefghi'] }]) expect(await accepted({ items, uniqueItems: true }, ['["a","b"]'])).toHaveLength(1);
  expect(await accepted({ type: 'array', uniqueItems: true, maxItems: 1 }, ['["a"]', '[1,2]'])).toHaveLength(1);
  expect(await accepted({ uniqueItems: true, minProperties: 1, enum: [[1, 1], [1, '1'], {}, { a: 1 }] }, ['[1,1]', '[1,"1"]', '{}', '{"a":1}'])).toEqual(['[1,"1"]', '{"a":1}']);
});

test('formats of numbers are kept', async () => {
  const numbers = ['2147483647', '2147483648', '-2147483648', '-2147483649', '1.5'];
  expect(await accepted({ type: 'integer', format: 'int32' }, numbers)).toEqual(['2147483647', '-2147483648']);
  expect(await accepted({ type: 'number', format: 'int64' }, numbers)).toEqual(numbers.slice(0, 4));
  expect(await accepted({ type: 'number', format: 'double' }, numbers)).toEqual(numbers);
});

test('json() is the value, or says that the text was cut', async () => {
  const jsonSchema = { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 };
  expect(await generator.generate('x', { jsonSchema, seed: 1 }).json()).toEqual([expect.any(Number), expect.any(Number)]);
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
  expect(await failureOf(compileGrammar({ jsonSchema: { allOf: [choice, choice, { ...choice }, { ...choice }, { ...choice }] } }))).toMatchObject({
    code: 'INPUT',
    reason: 'limit',
  });
  expect(await failureOf(compileGrammar({ jsonSchema: { type: 'string', maxLength: 1e9 } }))).toMatchObject({ code: 'INPUT', reason: 'limit' });
  // Which says nothing.
  expect(await accepted({ $ref: '#' }, ['1', '{}', ''])).toEqual(['1', '{}']);
});
