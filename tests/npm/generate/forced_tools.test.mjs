// toolChoice that forces a call: any model's answer is a call that its reader understands.
import Ajv from 'ajv/dist/2020.js';
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { story } from '../helpers/generator_fixtures.mjs';
import { answering, byteModel, idsOf } from '../helpers/models/byte_model.mjs';

const tools = [
  {
    name: 'add',
    parameters: {
      type: 'object',
      properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n' } },
      required: ['a', 'b'],
      $defs: { n: { type: 'integer', minimum: 0, maximum: 99 } },
    },
  },
  { name: 'now', description: 'What time it is', parameters: { type: 'object', properties: {} } },
  { name: 'say', parameters: { type: 'object', properties: { word: { enum: ['hello', 'bye'] } }, required: ['word'] } },
];
/** Has parameters of all kinds, some of them optional or without a type, and texts that look like keywords. */
const book = {
  name: 'book.table',
  parameters: {
    type: 'object',
    properties: {
      smoking: { type: 'boolean' },
      date: { type: 'string', pattern: '^true/null\\d"\\\\$' },
      people: { $ref: '#/$defs/people' },
      note: { type: 'string', maxLength: 12 },
      dishes: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { enum: ['a/b', '"q"', 'true'] }, vegan: { type: ['boolean', 'null'] } },
          required: ['name', 'vegan'],
        },
        minItems: 1,
        maxItems: 2,
      },
      none: { type: 'null' },
      price: { type: 'number', minimum: -2.5, maximum: 1e3 },
    },
    required: ['date', 'dishes'],
    $defs: { people: { type: 'integer', minimum: 1, maximum: 12 } },
  },
};
const optional = {
  name: 'search',
  parameters: { properties: { a: { type: 'integer' }, b: { const: 'x\n' }, c: { type: 'boolean' } } },
};
/** Texts of Qwen's XML have no quotes: only a list of values or a length can define what they must look like. */
const tagged = {
  name: 'book table',
  parameters: {
    type: 'object',
    properties: {
      smoking: { type: 'boolean' },
      date: { enum: ['today', '"2" <b>'] },
      people: { $ref: '#/$defs/people' },
      note: { type: 'string', minLength: 2, maxLength: 12 },
      name: { type: 'string', title: 'Any', default: 'x' },
      dishes: { type: 'array', items: { const: '</parameter>' }, maxItems: 2 },
      price: { type: 'number', minimum: -2.5, maximum: 1e3 },
      hint: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      other: { type: ['string', 'integer'] },
      anything: {},
    },
    required: ['date', 'dishes'],
    $defs: { people: { type: 'integer', minimum: 1, maximum: 12 } },
  },
};
const messages = [{ role: 'user', content: 'Hi' }];
/** Templates by what calls look like: only that matters here. */
const templates = {
  Hermes: '{% for m in messages %}{{ m.content }}{% endfor %}{# <tool_call> #}',
  list: '{% for m in messages %}{{ m.content }}{% endfor %}{# <|tool_call|> #}',
  Mistral: '{% for m in messages %}{{ m.content }}{% endfor %}{# [TOOL_CALLS] #}',
  LFM2: '{% for m in messages %}{{ m.content }}{% endfor %}{# <|tool_list_start|> #}',
  'OLMo 3': '{% for m in messages %}{{ m.content }}{% endfor %}{# <function_calls> #}',
  'Gemma 4': '{% for m in messages %}{{ m.content }}{% endfor %}{# <|tool_call> <tool_call|> #}',
  'Qwen3-Coder': '{% for m in messages %}{{ m.content }}{% endfor %}{# <tool_call> <function= <parameter= #}',
  DeepSeek: '{% for m in messages %}{{ m.content }}{% endfor %}{# <｜tool▁calls▁begin｜> #}',
  Hunyuan: '{% for m in messages %}{{ m.content }}{% endfor %}{# <tool_calls><tool_call> ```json #}',
  'Llama 3': '{% for m in messages %}{{ m.content }}{% endfor %}{# <|python_tag|> #}',
  thinking: '{% for m in messages %}{{ m.content }}{% endfor %}<think>{# </think> <tool_call> #}',
};

let generator;
beforeAll(async () => {
  generator = await TextGenerator.load(story);
});
afterAll(() => generator.close());

const callOf = async (template, toolChoice, seed) => {
  const generation = generator.generate(messages, {
    chat: { tools, template },
    toolChoice,
    seed,
    temperature: 1.2,
    maxTokens: 400,
  });
  return { text: await generation.text(), ...(await generation.finished) };
};

test.each(Object.entries(templates))('%s', async (_, template) => {
  for (let seed = 0; seed < 4; seed++) {
    const { text, reason, toolCalls } = await callOf(template, 'required', seed);
    expect({ text, reason, calls: toolCalls?.length }).toEqual({ text: '', reason: 'eos', calls: 1 });
    expect(tools.map(({ name }) => name)).toContain(toolCalls[0].name);
  }
  const { toolCalls } = await callOf(template, { name: 'add' }, 7);
  expect(toolCalls).toEqual([
    expect.objectContaining({ name: 'add', arguments: { a: expect.any(Number), b: expect.any(Number) } }),
  ]);
  const [{ arguments: said }] = (await callOf(template, { name: 'say' }, 7)).toolCalls;
  expect(['hello', 'bye']).toContain(said.word);
});

// Schemas that allow more than objects, and those that define where references lead; values in them that look like
// references.
const unusual = [
  {},
  { description: 'anything' },
  { type: ['object', 'null'] },
  { anyOf: [{ type: 'integer' }, { type: 'object', properties: { n: { $ref: '#/anyOf/0' } }, required: ['n'] }] },
  {
    type: 'object',
    properties: { a: { $ref: '#q' } },
    required: ['a'],
    $defs: { q: { $anchor: 'q', type: 'boolean' } },
  },
  {
    $id: 'https://example.com/s',
    type: 'object',
    properties: { a: { $ref: '#/$defs/x' } },
    required: ['a'],
    $defs: { x: { enum: [1, 2] } },
  },
  { type: 'object', properties: { a: { const: { $ref: '#/x' } }, $ref: { const: 'r' } }, required: ['a', '$ref'] },
  { type: 'object', properties: { const: { $ref: '#/$defs/x' } }, required: ['const'], $defs: { x: { enum: ['c'] } } },
  { type: 'object', properties: { big: { const: 2n ** 63n + 1n } }, required: ['big'] },
];
const inJson = Object.entries(templates).filter(([name]) => !/LFM2|OLMo|Gemma|Qwen/.test(name));

test.each(inJson)('%s: schemas of any form', async (_, template) => {
  const ajv = new Ajv({ strict: false });
  for (const [i, parameters] of unusual.entries()) {
    const generation = generator.generate(messages, {
      chat: { tools: [{ name: `f${i}`, parameters }], template },
      toolChoice: 'required',
      largeIntegers: 'bigint',
      seed: i,
      temperature: 1,
      maxTokens: 2000,
    });
    const { toolCalls } = await generation.finished;
    expect(toolCalls).toMatchObject([{ name: `f${i}`, arguments: expect.any(Object) }]);
    const [{ arguments: given }] = toolCalls;
    if ('big' in given) expect(given).toEqual({ big: 2n ** 63n + 1n });
    else expect([i, given, ajv.validate(parameters, given)]).toEqual([i, given, true]);
  }
});

test.each(Object.entries(templates))(
  '%s: arguments match their schema whatever the weights are',
  async (format, template) => {
    // All weights are zero: any token is as likely as another. Some of the markers are single tokens.
    const special = [
      '<|tool_call_start|>',
      '<|tool_call_end|>',
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁call▁begin｜>',
      '<｜tool▁sep｜>',
      '<tool_call>',
      '<|"|>',
    ];
    const model = await TextGenerator.load(byteModel(template, special));
    const ajv = new Ajv({ strict: false });
    const all = format === 'Qwen3-Coder' ? [tagged, optional, ...tools] : [book, optional, ...tools];
    const called = new Set();
    // Backslashes and slashes, as bytes: escapes differ between JSON and Python.
    const logitBias = Object.fromEntries(['\\', '/'].map((text) => [[...idsOf(text, [])][0], 4]));
    for (let seed = 0; seed < 40; seed++) {
      const generation = model.generate(messages, {
        chat: { tools: all },
        toolChoice: 'required',
        seed,
        logitBias,
        temperature: 1,
        maxTokens: 6000,
      });
      const { reason, toolCalls, unparsedToolCalls } = await generation.finished;
      expect({ reason, unparsedToolCalls, calls: toolCalls?.length }).toEqual({
        reason: 'eos',
        unparsedToolCalls: undefined,
        calls: 1,
      });
      const [{ name, arguments: given }] = toolCalls;
      const { parameters } = all.find((tool) => tool.name === name);
      expect([given, ajv.validate(parameters, given), ajv.errorsText()]).toEqual([given, true, 'No errors']);
      called.add(name);
    }
    expect(called.size).toBe(all.length);
    model.close();
  },
);

const note = {
  name: 'note',
  parameters: { type: 'object', properties: { text: { type: 'string' }, n: {} }, required: ['text'] },
};
const text = 'if (a < b) "<p>"\n\t</par> {東京} \\ ';
const inGemma = `<|tool_call>call:note{text:<|"|>${text}<|"|>,n:[1,{"a":null}]}<tool_call|>`;
const inQwen = `<tool_call>\n<function=note>\n<parameter=text>\n${text}\n</parameter>\n</function>\n</tool_call>`;

test.each([
  ['OLMo 3', templates['OLMo 3'], `<function_calls>note(text=${JSON.stringify(text)})</function_calls>`],
  ['Gemma 4', templates['Gemma 4'], inGemma, { n: [1, { a: null }] }],
  [
    'Gemma 4, thoughts begun',
    `${templates['Gemma 4']}<|channel>thought\n{# <channel|> #}`,
    `<channel|>${inGemma}`,
    { n: [1, { a: null }] },
  ],
  ['Qwen3-Coder', templates['Qwen3-Coder'], inQwen],
  ['Qwen3.5, thoughts begun', `${templates['Qwen3-Coder']}<think>\n{# </think> #}`, `\n</think>\n\n${inQwen}`],
  [
    'Qwen3, thoughts begun',
    templates.thinking,
    `\n</think>\n\n<tool_call>\n{"name": "note", "arguments": {"text": ${JSON.stringify(text)}}}\n</tool_call>`,
  ],
])("%s: the grammar accepts what the model's template writes", async (_, template, answer, more = {}) => {
  const special = ['<|tool_call>', '<tool_call|>', '<|"|>', '<channel|>', '</think>'];
  for (const each of [[], special]) {
    const got = await answering(answer, { template, special: each, chat: { tools: [note] }, toolChoice: 'required' });
    const { toolCalls, text: rest, reasoning } = got;
    expect({ toolCalls, rest, reasoning }).toEqual({
      toolCalls: [{ name: 'note', arguments: { text, ...more } }],
      rest: '',
      reasoning: undefined,
    });
  }
});

test('Python: names that are not valid in Python, and limits beyond properties, cannot be forced', async () => {
  const forced = (tool) =>
    failureOf(
      generator
        .generate(messages, { chat: { tools: [tool], template: templates.LFM2 }, toolChoice: 'required' })
        .text(),
    );
  const cases = [
    [{ name: 'get-weather' }, /get-weather/],
    [{ name: 'f', parameters: { properties: { 'two words': {} } } }, /"f"/],
    [{ name: 'f', parameters: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } }, /"f".*'anyOf'/],
  ];
  for (const [tool, message] of cases)
    expect(await forced(tool)).toMatchObject({ code: 'UNSUPPORTED', message: expect.stringMatching(message) });
});

test('tools that cannot be forced are errors', async () => {
  const plain = '{% for m in messages %}{{ m.content }}{% endfor %}';
  const cases = [
    [{ chat: { tools, template: plain }, toolChoice: 'required' }, 'UNSUPPORTED', /has no tools/],
    [
      { chat: { tools: [book], template: templates['Qwen3-Coder'] }, toolChoice: 'required' },
      'UNSUPPORTED',
      /Qwen3-Coder of "book.table": the argument "date"/,
    ],
    [{ chat: { tools }, toolChoice: { name: 'subtract' } }, 'INPUT', /'subtract'/],
    [{ chat: { tools: [] }, toolChoice: 'required' }, 'INPUT', /no such tool/],
    [{ chat: { tools }, toolChoice: 'always' }, 'INPUT', /toolChoice/],
    [{ chat: { tools }, toolChoice: 'required', jsonSchema: true }, 'INPUT', /grammar or jsonSchema/],
  ];
  for (const [options, code, message] of cases) {
    expect(await failureOf(generator.generate(messages, options).text())).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  }
});

test('constrained text has no thoughts and no calls', async () => {
  const chat = { tools, template: templates.thinking };
  expect(await generator.generate(messages, { chat, grammar: 'root ::= "<tool_call>yes"' }).text()).toBe(
    '<tool_call>yes',
  );
});
