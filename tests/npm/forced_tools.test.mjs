// toolChoice that forces a call: whatever the model would say, its answer is a call that its reader understands.
import { TextGenerator } from 'quintet';
import { failureOf } from './fixtures.mjs';
import { story } from './generator_fixtures.mjs';

const tools = [
  { name: 'add', parameters: { type: 'object', properties: { a: { $ref: '#/$defs/n' }, b: { $ref: '#/$defs/n' } }, required: ['a', 'b'], $defs: { n: { type: 'integer', minimum: 0, maximum: 99 } } } },
  { name: 'now', description: 'What time it is', parameters: { type: 'object', properties: {} } },
  { name: 'say', parameters: { type: 'object', properties: { word: { enum: ['hello', 'bye'] } }, required: ['word'] } },
];
const messages = [{ role: 'user', content: 'Hi' }];
/** Templates by what calls look like: only that matters here. */
const templates = {
  Hermes: '{% for m in messages %}{{ m.content }}{% endfor %}{# <tool_call> #}',
  list: '{% for m in messages %}{{ m.content }}{% endfor %}{# <|tool_call|> #}',
  Mistral: '{% for m in messages %}{{ m.content }}{% endfor %}{# [TOOL_CALLS] #}',
  'Llama 3': '{% for m in messages %}{{ m.content }}{% endfor %}{# <|python_tag|> #}',
  thinking: '{% for m in messages %}{{ m.content }}{% endfor %}<think>{# </think> <tool_call> #}',
};

let generator;
beforeAll(async () => {
  generator = await TextGenerator.load(story);
});
afterAll(() => generator.close());

const callOf = async (template, toolChoice, seed) => {
  const generation = generator.generate(messages, { chat: { tools, template }, toolChoice, seed, temperature: 1.2, maxTokens: 400 });
  return { text: await generation.text(), ...(await generation.finished) };
};

test.each(Object.entries(templates))('%s', async (_, template) => {
  for (let seed = 0; seed < 4; seed++) {
    const { text, reason, toolCalls } = await callOf(template, 'required', seed);
    expect({ text, reason, calls: toolCalls?.length }).toEqual({ text: '', reason: 'eos', calls: 1 });
    expect(tools.map(({ name }) => name)).toContain(toolCalls[0].name);
  }
  const { toolCalls } = await callOf(template, { name: 'add' }, 7);
  expect(toolCalls).toEqual([expect.objectContaining({ name: 'add', arguments: { a: expect.any(Number), b: expect.any(Number) } })]);
  const [{ arguments: said }] = (await callOf(template, { name: 'say' }, 7)).toolCalls;
  expect(['hello', 'bye']).toContain(said.word);
});

test('what cannot be forced is an error', async () => {
  const plain = '{% for m in messages %}{{ m.content }}{% endfor %}';
  const cases = [
    [{ chat: { tools, template: plain }, toolChoice: 'required' }, 'UNSUPPORTED', /has no tools/],
    [{ chat: { tools, template: `${plain}{# <|tool_list_start|> #}` }, toolChoice: 'required' }, 'UNSUPPORTED', /LFM2/],
    [{ chat: { tools }, toolChoice: { name: 'subtract' } }, 'INPUT', /'subtract'/],
    [{ chat: { tools: [] }, toolChoice: 'required' }, 'INPUT', /no such tool/],
    [{ chat: { tools }, toolChoice: 'always' }, 'INPUT', /toolChoice/],
    [{ chat: { tools }, toolChoice: 'required', jsonSchema: true }, 'INPUT', /grammar or jsonSchema/],
  ];
  for (const [options, code, message] of cases) {
    expect(await failureOf(generator.generate(messages, options).text())).toMatchObject({ code, message: expect.stringMatching(message) });
  }
});

test('a text of a form is no thought, and has no calls', async () => {
  const chat = { tools, template: templates.thinking };
  expect(await generator.generate(messages, { chat, grammar: 'root ::= "<tool_call>yes"' }).text()).toBe('<tool_call>yes');
});
