// Schemas of zod, valibot and ArkType, taken wherever a JSON schema is.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { compileGrammar, TextGenerator, Tokenizer } from 'quintet';
import * as v from 'valibot';
import { z } from 'zod';
import { failureOf } from '../helpers/expectations.mjs';
import { story } from '../helpers/generator_fixtures.mjs';

const schemas = {
  zod: z.object({ mood: z.enum(['happy', 'sad']), age: z.int().min(1).max(9) }),
  valibot: toStandardJsonSchema(
    v.object({
      mood: v.picklist(['happy', 'sad']),
      age: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)),
    }),
  ),
  ArkType: type({ mood: "'happy' | 'sad'", age: '1 <= number.integer <= 9' }),
};

let generator;
beforeAll(async () => {
  generator = await TextGenerator.load(story);
});
afterAll(() => generator.close());

test.each(Object.entries(schemas))('%s: the value is of the schema', async (_, jsonSchema) => {
  const options = { seed: 1, temperature: 1, maxTokens: 200 };
  const value = await generator.generate('A girl:', { ...options, jsonSchema }).json();
  expect(['happy', 'sad']).toContain(value.mood);
  expect(value.age).toBeGreaterThanOrEqual(1);
  expect(value.age).toBeLessThanOrEqual(9);
  // The JSON schema itself gives the same text.
  const plain = jsonSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  expect(await generator.generate('A girl:', { ...options, jsonSchema: plain }).json()).toEqual(value);
  const grammar = await compileGrammar({ jsonSchema });
  // In the order of the schema: ArkType sorts.
  const written = (values) =>
    JSON.stringify(Object.fromEntries(Object.keys(plain.properties).map((key) => [key, values[key]])));
  expect([
    grammar.accepts(written({ mood: 'sad', age: 3 })),
    grammar.accepts(written({ mood: 'mad', age: 3 })),
  ]).toEqual([true, false]);
  grammar.close();
  const template = '{{ tools[0].function.parameters.properties.mood | tojson }}';
  for (const tool of [
    { name: 'f', parameters: jsonSchema },
    { type: 'function', function: { name: 'f', parameters: jsonSchema } },
  ]) {
    const { text } = await generator.applyChatTemplate([], { template, tools: [tool] });
    expect(JSON.parse(text)).toEqual(plain.properties.mood);
    const tokenizer = await Tokenizer.load(story);
    expect(tokenizer.applyChatTemplate([], { template, tools: [tool] }).text).toBe(text);
  }
});

test("the value is the schema's output, and a value it rejects is an error", async () => {
  const constant = z.object({ n: z.literal(5) });
  const doubled = constant.transform(({ n }) => ({ twice: 2 * n }));
  const options = { temperature: 0, maxTokens: 50 };
  expect(await generator.generate('a', { ...options, jsonSchema: doubled }).json()).toEqual({ twice: 10 });
  const refused = constant.refine(() => false, { message: 'not today', path: ['n'] });
  expect(await failureOf(generator.generate('a', { ...options, jsonSchema: refused }).json())).toMatchObject({
    code: 'INPUT',
    message: 'json: the schema rejects the value: n: not today',
  });
  const asynchronous = constant.refine(async () => true);
  expect(await generator.generate('a', { ...options, jsonSchema: asynchronous }).json()).toEqual({ n: 5 });
});

test('a schema without a JSON schema is rejected, and the message says what to use', async () => {
  const cases = [
    [v.object({ a: v.string() }), /valibot.*toStandardJsonSchema/],
    [z.object({ a: z.date() }), /zod.*Date/],
    [() => true, /JSON schema is an object or true/],
  ];
  for (const [jsonSchema, message] of cases) {
    expect(await failureOf(generator.generate('a', { jsonSchema }).json())).toMatchObject({
      code: 'INPUT',
      message: expect.stringMatching(message),
    });
    expect(await failureOf(compileGrammar({ jsonSchema }))).toMatchObject({
      code: 'INPUT',
      message: expect.stringMatching(message),
    });
  }
});

test('arguments of tools are validated before they are run', async () => {
  const given = [];
  const tools = [
    {
      name: 'f',
      parameters: z.object({ n: z.literal(5).transform((n) => n + 0.5) }),
      run: (args) => (given.push(args), 'ok'),
    },
  ];
  const template = '{% for m in messages %}{{ m.content }}{% endfor %}{# <tool_call> #}';
  const chat = generator.startChat({
    template,
    tools,
    maxRounds: 1,
    toolChoice: 'required',
    temperature: 0,
    maxTokens: 200,
  });
  expect((await chat.send('Go').finished).toolCalls[0].arguments).toEqual({ n: 5 });
  expect(given).toEqual([{ n: 5.5 }]);
  chat.close();
});
