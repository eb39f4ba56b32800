// Thoughts and calls of tools in answers, as models write them: examples from their cards and from vLLM's and
// llama.cpp's tests.

import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { answering, byteModel, idsOf } from '../helpers/models/byte_model.mjs';
import { templateOf } from './chat_fixtures.mjs';

const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }];
const paris = { name: 'get_weather', arguments: { city: 'Paris' } };
const plain = (marker) => `{% for m in messages %}{{ m.content }}{% endfor %}{# ${marker} #}`;
const qwenCoder = templateOf('Qwen-Qwen3-Coder-30B-A3B-Instruct');
const smolPython = {
  template: templateOf('hub-HuggingFaceTB_SmolLM3-3B'),
  chat: { variables: { python_tools: ['def get_weather(city: str)'] } },
};
const qwen3 = templateOf('Qwen-Qwen3-0.6B');

const recorded = {
  'Qwen2.5, Hermes': [
    templateOf('Qwen-Qwen2.5-7B-Instruct'),
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    [paris],
  ],
  'Granite 4': [
    templateOf('ibm-granite-granite-4.0-350m'),
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    [paris],
  ],
  'several of Qwen3, after thoughts': [
    qwen3,
    '<think>\nTwo cities.\n</think>\n\nLet me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
    [paris, { name: 'get_weather', arguments: { city: 'Rome' } }],
    'Let me see.\n',
    'Two cities.',
  ],
  'Llama 3.1': [plain('ipython parameters'), '{"name": "get_weather", "parameters": {"city": "Paris"}}', [paris]],
  'Llama 3.2, after its tag': [
    plain('<|python_tag|>'),
    '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "get_weather", "parameters": {}}',
    [paris, { name: 'get_weather', arguments: {} }],
    '',
    undefined,
    ['<|python_tag|>'],
  ],
  'Mistral Nemo': [
    templateOf('mistralai-Mistral-Nemo-Instruct-2407'),
    '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "abcdefghi"}]',
    [{ id: 'abcdefghi', ...paris }],
    '',
    undefined,
    ['[TOOL_CALLS]'],
  ],
  'Mistral Small 3.2': [
    plain('[TOOL_CALLS][ARGS]'),
    '[TOOL_CALLS]get_weather[CALL_ID]abcdefghi[ARGS]{"city": "Paris"}',
    [{ id: 'abcdefghi', ...paris }],
    '',
    undefined,
    ['[TOOL_CALLS]', '[CALL_ID]', '[ARGS]'],
  ],
  'Ministral 3, after thoughts': [
    plain('[TOOL_CALLS][ARGS] [THINK] [/THINK]'),
    '[THINK]Weather.[/THINK]Let me see.[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}',
    [paris],
    'Let me see.',
    'Weather.',
    ['[TOOL_CALLS]', '[ARGS]', '[THINK]', '[/THINK]'],
  ],
  'granite 3.3': [
    templateOf('ibm-granite-granite-3.3-2B-Instruct'),
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]',
    [paris],
    '',
    undefined,
    ['<|tool_call|>'],
  ],
  'Phi-4-mini': [
    plain('<|tool_call|>'),
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|/tool_call|>',
    [paris],
    '',
    undefined,
    ['<|tool_call|>', '<|/tool_call|>'],
  ],
  SmolLM3: [
    templateOf('hub-HuggingFaceTB_SmolLM3-3B'),
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>',
    [paris],
  ],
  LFM2: [
    plain('<|tool_list_start|>'),
    '<|tool_call_start|>[get_weather(city="Paris", days=[1, -2.5], exact=True, unit=None, more={"a": \'b\'})]<|tool_call_end|>Checking.',
    [{ name: 'get_weather', arguments: { city: 'Paris', days: [1, -2.5], exact: true, unit: null, more: { a: 'b' } } }],
    'Checking.',
    undefined,
    ['<|tool_call_start|>', '<|tool_call_end|>'],
  ],
  'LFM2.5, after thoughts': [
    plain('<|tool_call_start|> </think>'),
    "<think>Weather.</think><|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>",
    [paris],
    '',
    'Weather.',
    ['<|tool_call_start|>', '<|tool_call_end|>'],
  ],
  'LFM2, in JSON': [
    plain('<|tool_list_start|>'),
    '<|tool_call_start|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|tool_call_end|>',
    [paris],
  ],
  'Falcon-H1, as its template shows it': [
    plain('<tool_call>'),
    "<tool_call>\n{'arguments': {'city': 'Paris'}, 'name': 'get_weather'}\n</tool_call>",
    [paris],
  ],
  'EXAONE 4': [
    plain('<tool_call> <think> </think>'),
    '<think>\nTwo.\n</think>\n\n<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>',
    [paris, { name: 'get_weather', arguments: { city: 'Rome' } }],
    '',
    'Two.',
  ],
  'OLMo 3': [
    plain('<function_calls>'),
    'Let me see.<function_calls>get_weather(city="Paris")\nget_weather(city=\'Rome\', exact=true, unit=null)</function_calls>',
    [paris, { name: 'get_weather', arguments: { city: 'Rome', exact: true, unit: null } }],
    'Let me see.',
  ],
  'Gemma 4, after thoughts': [
    plain('<|tool_call> <tool_call|> <channel|>'),
    '<|channel>thought\nWeather.\n<channel|><|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|><|tool_call>call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>',
    [paris, { name: 'get_weather', arguments: { city: 'Rome' } }],
    '',
    'Weather.',
    ['<|channel>', '<channel|>', '<|tool_call>', '<tool_call|>', '<|"|>'],
  ],
  // The cases of vLLM's tests/tool_use/test_qwen3coder_tool_parser.py.
  'Qwen3-Coder': [
    qwenCoder,
    'Sure! Let me check.<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_weather>\n<parameter=city>\nNew\nYork\n</parameter>\n</function>\n</tool_call>',
    [paris, { name: 'get_weather', arguments: { city: 'New\nYork' } }],
    'Sure! Let me check.',
    undefined,
    ['<tool_call>', '</tool_call>'],
  ],
  'DeepSeek-R1 distilled': [
    templateOf('deepseek-ai-DeepSeek-R1-Distill-Qwen-32B'),
    '<think>\nHm.\n</think>\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [paris],
    '',
    'Hm.',
    [
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁call▁begin｜>',
      '<｜tool▁sep｜>',
      '<｜tool▁call▁end｜>',
      '<｜tool▁calls▁end｜>',
    ],
  ],
};

test.each(Object.entries(recorded))('%s', async (_, [template, answer, calls, text = '', reasoning, special = []]) => {
  const { parts: _parts, ...got } = await answering(answer, { template, special, chat: { tools } });
  expect(got).toEqual({ text, whole: text, toolCalls: calls, reasoning, unparsedToolCalls: undefined, reason: 'eos' });
});

test("Qwen3-Coder: the types of arguments are those of the tool's schema", async () => {
  const types = {
    text: 'string',
    count: 'integer',
    ratio: 'number',
    sure: 'boolean',
    list: 'array',
    more: 'object',
    any: 'any',
  };
  const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
  const cases = [
    ['text', '5', '5'],
    ['text', '{"a": 1}', '{"a": 1}'],
    ['text', '\n x\n', '\n x\n'],
    ['text', 'NULL', null],
    ['count', '5', 5],
    ['count', ' -1_000 ', -1000],
    ['count', '5.5', '5.5'],
    ['count', 'many', 'many'],
    ['ratio', '0.5', 0.5],
    ['ratio', '1e3', 1000],
    ['ratio', '5.', 5],
    ['ratio', '.', '.'],
    ['ratio', `${'1'.repeat(800)}x`, `${'1'.repeat(800)}x`],
    ['sure', 'True', true],
    ['sure', 'false', false],
    ['sure', 'yes', false],
    ['list', '[1, "a", null]', [1, 'a', null]],
    ['list', "[1, 'a', None]", [1, 'a', null]],
    ['list', '[1,', '[1,'],
    ['more', '{"a": {"b": true}}', { a: { b: true } }],
    ['more', "{'a': {'b': True}}", { a: { b: true } }],
    ['any', '7', 7],
    ['any', 'seven', 'seven'],
    ['unknown', '7', '7'],
    ['__proto__', '7', '7'],
    ['toString', '7', '7'],
  ];
  for (const given of [
    { name: 'f', parameters: { properties } },
    { type: 'function', function: { name: 'f', parameters: properties } },
  ]) {
    for (const [name, written, value] of cases) {
      const answer = `<tool_call>\n<function=f>\n<parameter=${name}>\n${written}\n</parameter>\n</function>\n</tool_call>`;
      const { toolCalls } = await answering(answer, {
        template: qwenCoder,
        special: ['<tool_call>', '</tool_call>'],
        chat: { tools: [given] },
      });
      expect([name, written, Object.entries(toolCalls?.[0].arguments ?? {})]).toEqual([name, written, [[name, value]]]);
    }
  }
});

test.each([
  ['without the end of a value', '<tool_call>\n<function=f>\n<parameter=a>\n1\n</function>\n</tool_call>'],
  ['without its own end', '<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</tool_call>'],
  [
    'with text between its values',
    '<tool_call><function=f><parameter=a>1</parameter> and <parameter=b>2</parameter></function></tool_call>',
  ],
  ['without a name', '<tool_call>\n<function=>\n</function>\n</tool_call>'],
  ['that stops', 'Well: <tool_call>\n<function=f>\n<parameter=a>\n1'],
  ['as JSON', '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'],
])('Qwen3-Coder: a call %s is text, and reported as unread', async (_, answer) => {
  const got = await answering(answer, { template: qwenCoder, chat: { tools } });
  expect(got).toMatchObject({
    text: answer,
    whole: answer,
    toolCalls: undefined,
    unparsedToolCalls: [answer.replace('Well: ', '')],
  });
});

test('SmolLM3: code that only calls tools is calls, with python_tools', async () => {
  const code =
    '<think>\n\n</think>\nI ask.\n<code>\nget_weather(city="Paris")\nget_weather(\n  city=\'New (York)\',\n  days=[1, {"a": None}],\n)\n</code>';
  const calls = [paris, { name: 'get_weather', arguments: { city: 'New (York)', days: [1, { a: null }] } }];
  expect(await answering(code, smolPython)).toMatchObject({
    text: 'I ask.\n',
    toolCalls: calls,
    unparsedToolCalls: undefined,
  });
  // Its other form, for xml_tools, and for tools with any variables.
  const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>';
  const { template, chat } = smolPython;
  expect(await answering(call, { template, chat: { variables: { xml_tools: ['{}'] } } })).toMatchObject({
    text: '',
    toolCalls: [paris],
  });
  expect(await answering(call, { template, chat: { ...chat, tools } })).toMatchObject({ text: '', toolCalls: [paris] });
  expect(await answering(code, { template, chat: { variables: { python_tools: [] } } })).toMatchObject({
    toolCalls: undefined,
  });
});

test.each([
  'weather = get_weather(city="Paris")\nprint(weather)',
  'get_weather("Paris")',
  'get_weather(city=name)',
  'get_weather(city="Paris"',
  'import os',
  '',
])('SmolLM3: other code is text, and reported as unread: %s', async (code) => {
  const answer = `<code>\n${code}\n</code> Done.`;
  expect(await answering(answer, smolPython)).toMatchObject({
    text: answer,
    toolCalls: undefined,
    unparsedToolCalls: [answer.replace(' Done.', '')],
  });
});

test('an answer is read the same in any pieces', async () => {
  const [template, answer, calls, text, reasoning] = recorded['several of Qwen3, after thoughts'];
  // Here the markers are single tokens, above they are a token for each byte.
  const special = ['<think>', '</think>', '<tool_call>', '</tool_call>'];
  expect(await answering(answer, { template, special, chat: { tools } })).toMatchObject({
    text,
    toolCalls: calls,
    reasoning,
  });
});

test('thoughts are not part of the text, without tools too', async () => {
  expect(await answering('<think>\nhm\n</think>\n\n 4 < 5', { template: qwen3 })).toMatchObject({
    text: '4 < 5',
    reasoning: 'hm',
    toolCalls: undefined,
  });
  // The prompt ends with the beginning of the thoughts.
  expect(await answering('hm</think>Yes', { template: `${qwen3}<think>\n` })).toMatchObject({
    text: 'Yes',
    reasoning: 'hm',
  });
  expect(await answering('<think>unfinished', { template: qwen3 })).toMatchObject({
    text: '',
    reasoning: 'unfinished',
  });
  expect(await answering('No thoughts: <think>', { template: qwen3 })).toMatchObject({
    text: 'No thoughts: <think>',
    reasoning: undefined,
  });
});

test.each([
  ['that is no JSON', '<tool_call>\n{"name": get}\n</tool_call> ok', ['<tool_call>\n{"name": get}\n</tool_call>']],
  ['without a name', '<tool_call>{"arguments": {}}</tool_call>', ['<tool_call>{"arguments": {}}</tool_call>']],
  ['that does not end', 'a <tool_call>{"name": "f", "argu', ['<tool_call>{"name": "f", "argu']],
  [
    'whose arguments are a list',
    '<tool_call>{"name": "f", "arguments": [1]}</tool_call>',
    ['<tool_call>{"name": "f", "arguments": [1]}</tool_call>'],
  ],
])('a call %s is text, and reported as unread', async (_, answer, unparsedToolCalls) => {
  expect(await answering(answer, { template: qwen3, chat: { tools } })).toMatchObject({
    text: answer,
    whole: answer,
    toolCalls: undefined,
    unparsedToolCalls,
  });
});

test('without tools, calls are text', async () => {
  const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
  for (const options of [{}, { chat: { tools }, toolChoice: 'none' }]) {
    expect(await answering(call, { template: qwen3, ...options })).toMatchObject({
      text: call,
      toolCalls: undefined,
      unparsedToolCalls: undefined,
    });
  }
});

test('what looks like the beginning of a call is held back until it is decided', async () => {
  for (const text of ['a <tool', '<', '<tool_calls>', '{"a": 1}']) {
    expect(await answering(text, { template: qwen3, chat: { tools } })).toMatchObject({ text, whole: text });
  }
  const llama = plain('ipython parameters');
  for (const text of ['{"a": 1}', 'Hi {"name": "f", "parameters": {}}', '[1]']) {
    expect(await answering(text, { template: llama, chat: { tools } })).toMatchObject({ text, toolCalls: undefined });
  }
});

test('text appears as it is written, not at the end', async () => {
  const model = await TextGenerator.load(byteModel(qwen3));
  const ids = [...idsOf('Hello <b> there', [])];
  const generation = model.generate([{ role: 'user', content: 'x' }], {
    chat: { tools },
    logitsProcessor(logits, tokens) {
      logits.fill(-Infinity);
      logits[ids[tokens.length % ids.length]] = 1;
    },
    maxTokens: 50,
  });
  let read = 0;
  for await (const { text } of generation) if (text && ++read === 5) break;
  expect(read).toBe(5);
  model.close();
});

test('toolChoice needs tools', async () => {
  const model = await TextGenerator.load(byteModel(qwen3));
  const error = await failureOf(model.generate([{ role: 'user', content: 'x' }], { toolChoice: 'auto' }).text());
  expect(error).toMatchObject({ code: 'INPUT', reason: 'mismatch' });
  model.close();
});
