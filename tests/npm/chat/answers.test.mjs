// Thoughts and calls of tools in answers, as models write them: examples from their cards and from vLLM's and llama.cpp's tests.
import { failureOf } from '../fixtures.mjs';
import { TextGenerator } from 'quintet';
import { answering, byteModel, idsOf } from './byte_model.mjs';
import { templateOf } from './chat_fixtures.mjs';

const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }];
const paris = { name: 'get_weather', arguments: { city: 'Paris' } };
const plain = (marker) => `{% for m in messages %}{{ m.content }}{% endfor %}{# ${marker} #}`;
const qwen3 = templateOf('Qwen-Qwen3-0.6B');

const recorded = {
  'Qwen2.5, Hermes': [templateOf('Qwen-Qwen2.5-7B-Instruct'), '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>', [paris]],
  'several of Qwen3, after thoughts': [
    qwen3,
    '<think>\nTwo cities.\n</think>\n\nLet me see.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
    [paris, { name: 'get_weather', arguments: { city: 'Rome' } }],
    'Let me see.\n',
    'Two cities.',
  ],
  'Llama 3.1': [plain('ipython parameters'), '{"name": "get_weather", "parameters": {"city": "Paris"}}', [paris]],
  'Llama 3.2, after its tag': [plain('<|python_tag|>'), '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "get_weather", "parameters": {}}', [paris, { name: 'get_weather', arguments: {} }], '', undefined, ['<|python_tag|>']],
  'Mistral Nemo': [templateOf('mistralai-Mistral-Nemo-Instruct-2407'), '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "abcdefghi"}]', [{ id: 'abcdefghi', ...paris }], '', undefined, ['[TOOL_CALLS]']],
  'Mistral Small 3.2': [plain('[TOOL_CALLS][ARGS]'), '[TOOL_CALLS]get_weather[CALL_ID]abcdefghi[ARGS]{"city": "Paris"}', [{ id: 'abcdefghi', ...paris }], '', undefined, ['[TOOL_CALLS]', '[CALL_ID]', '[ARGS]']],
  'granite 3.3': [templateOf('ibm-granite-granite-3.3-2B-Instruct'), '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]', [paris], '', undefined, ['<|tool_call|>']],
  'Phi-4-mini': [plain('<|tool_call|>'), '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|/tool_call|>', [paris], '', undefined, ['<|tool_call|>', '<|/tool_call|>']],
  SmolLM3: [templateOf('hub-HuggingFaceTB_SmolLM3-3B'), '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>', [paris]],
  LFM2: [
    plain('<|tool_list_start|>'),
    '<|tool_call_start|>[get_weather(city="Paris", days=[1, -2.5], exact=True, unit=None, more={"a": \'b\'})]<|tool_call_end|>Checking.',
    [{ name: 'get_weather', arguments: { city: 'Paris', days: [1, -2.5], exact: true, unit: null, more: { a: 'b' } } }],
    'Checking.',
    undefined,
    ['<|tool_call_start|>', '<|tool_call_end|>'],
  ],
  'DeepSeek-R1 distilled': [
    templateOf('deepseek-ai-DeepSeek-R1-Distill-Qwen-32B'),
    '<think>\nHm.\n</think>\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [paris],
    '',
    'Hm.',
    ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'],
  ],
};

test.each(Object.entries(recorded))('%s', async (_, [template, answer, calls, text = '', reasoning, special = []]) => {
  const got = await answering(answer, { template, special, chat: { tools } });
  expect(got).toEqual({ text, whole: text, toolCalls: calls, reasoning, unreadCalls: undefined, reason: 'eos' });
});

test('an answer is read the same whatever its pieces are', async () => {
  const [template, answer, calls, text, reasoning] = recorded['several of Qwen3, after thoughts'];
  // Here the markers are single tokens, above they are a token for each byte.
  const special = ['<think>', '</think>', '<tool_call>', '</tool_call>'];
  expect(await answering(answer, { template, special, chat: { tools } })).toMatchObject({ text, toolCalls: calls, reasoning });
});

test('thoughts are no part of the text, without tools too', async () => {
  expect(await answering('<think>\nhm\n</think>\n\n 4 < 5', { template: qwen3 })).toMatchObject({ text: '4 < 5', reasoning: 'hm', toolCalls: undefined });
  // The prompt ends with the beginning of the thoughts.
  expect(await answering('hm</think>Yes', { template: `${qwen3}<think>\n` })).toMatchObject({ text: 'Yes', reasoning: 'hm' });
  expect(await answering('<think>unfinished', { template: qwen3 })).toMatchObject({ text: '', reasoning: 'unfinished' });
  expect(await answering('No thoughts: <think>', { template: qwen3 })).toMatchObject({ text: 'No thoughts: <think>', reasoning: undefined });
});

test.each([
  ['that is no JSON', '<tool_call>\n{"name": get}\n</tool_call> ok', ['<tool_call>\n{"name": get}\n</tool_call>']],
  ['without a name', '<tool_call>{"arguments": {}}</tool_call>', ['<tool_call>{"arguments": {}}</tool_call>']],
  ['that does not end', 'a <tool_call>{"name": "f", "argu', ['<tool_call>{"name": "f", "argu']],
  ['whose arguments are a list', '<tool_call>{"name": "f", "arguments": [1]}</tool_call>', ['<tool_call>{"name": "f", "arguments": [1]}</tool_call>']],
])('a call %s is text, and said to be unread', async (_, answer, unreadCalls) => {
  expect(await answering(answer, { template: qwen3, chat: { tools } })).toMatchObject({ text: answer, whole: answer, toolCalls: undefined, unreadCalls });
});

test('without tools, calls are text', async () => {
  const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>';
  for (const options of [{}, { chat: { tools }, toolChoice: 'none' }]) {
    expect(await answering(call, { template: qwen3, ...options })).toMatchObject({ text: call, toolCalls: undefined, unreadCalls: undefined });
  }
});

test('what looks like the beginning of a call is held back until that is decided', async () => {
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
