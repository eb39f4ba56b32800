// generation.parts(): text, reasoning and tool calls while they come. byte_model.mjs's answering() compares the joined
// parts with `finished` for every answer; this file tests that they come early, and which are revoked.
import { answering, joined } from '../helpers/models/byte_model.mjs';

const plain = (markers) => `{% for m in messages %}{{ m.content }}{% endfor %}{# ${markers} #}`;
const tools = [
  {
    name: 'f',
    parameters: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'array' } } },
  },
];
const args = { a: 'x </f> "y"', b: 12, c: [1, { d: null }] };
const json = JSON.stringify(args);
/** A part for nearly every token: a few characters wait because they may begin a marker. */
const each = json.length - 5;

/** Answers with a call, and how many parts of its arguments come before the call ends. */
const formats = {
  Hermes: ['<tool_call>', `<tool_call>\n{"name": "f", "arguments": ${json}}\n</tool_call>`, each],
  'Hermes, arguments first': ['<tool_call>', `<tool_call>{"arguments": ${json}, "name": "f"}</tool_call>`, 0],
  'Hermes, arguments as text': [
    '<tool_call>',
    `<tool_call>{"name": "f", "arguments": ${JSON.stringify(json)}}</tool_call>`,
    0,
  ],
  list: ['<|tool_call|>', `<|tool_call|>[{"name": "f", "arguments": ${json}}]<|/tool_call|>`, each],
  'Llama 3': ['ipython parameters', `{"name": "f", "parameters": ${json}}`, each],
  'Mistral, with an id at the end': [
    '[TOOL_CALLS]',
    `[TOOL_CALLS][{"name": "f", "arguments": ${json}, "id": "abcdefghi"}]`,
    each,
  ],
  'Mistral since 2025': ['[TOOL_CALLS]', `[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]${json}`, each],
  DeepSeek: [
    '<｜tool▁calls▁begin｜>',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    each,
  ],
  Hunyuan: [
    '<tool_calls> <tool_call> ```json',
    `<tool_calls><tool_call>f\n\`\`\`json\n${json}\n\`\`\`</tool_call></tool_calls>`,
    each,
  ],
  LFM2: ['<|tool_list_start|>', `<|tool_call_start|>[f(a='x </f> "y"', b=12, c=[1, {"d": None}])]<|tool_call_end|>`, 3],
  'OLMo 3': ['<function_calls>', `<function_calls>f(a='x </f> "y"', b=12, c=[1, {"d": None}])</function_calls>`, 3],
  'Gemma 4': [
    '<|tool_call> <tool_call|>',
    `<|tool_call>call:f{a:<|"|>x </f> "y"<|"|>,b:12,c:[1,{d:null}]}<tool_call|>`,
    'x </f> "y"'.length,
  ],
  "SmolLM3's Python": ['python_tools <code>', `<code>f(a='x </f> "y"', b=12, c=[1, {"d": None}])</code>`, 3],
  'Qwen3-Coder': [
    '<tool_call> <function= <parameter=',
    `<tool_call>\n<function=f>\n<parameter=a>\nx </f> "y"\n</parameter>\n<parameter=b>\n12\n</parameter>\n<parameter=c>\n${JSON.stringify(args.c)}\n</parameter>\n</function>\n</tool_call>`,
    2,
  ],
};

test.each(Object.entries(formats))(
  '%s: arguments stream as they are written',
  async (name, [markers, answer, early]) => {
    const chat = name.startsWith('Smol') ? { variables: { python_tools: ['def f'] } } : { tools };
    const { parts, toolCalls } = await answering(`<think>\nHm, \n so\n</think>\n${answer}`, {
      template: plain(`${markers} </think>`),
      chat,
    });
    expect(toolCalls).toEqual([expect.objectContaining({ name: 'f', arguments: args })]);
    const calls = parts.filter(({ type }) => type === 'toolCall');
    expect(calls[0]).toMatchObject({ index: 0, name: 'f' });
    expect(calls.filter(({ argumentsText }) => argumentsText !== '').length).toBeGreaterThanOrEqual(Math.max(1, early));
    expect(joined(parts)).toEqual({ text: '', reasoning: 'Hm, \n so', toolCalls });
    expect(parts.filter(({ type }) => type === 'reasoning').length).toBeGreaterThan(4);
  },
);

test.each([
  ['breaks off', '<tool_call>{"name": "f", "arguments": {"a": "x', 0],
  [
    'is malformed',
    '<tool_call>{"name": "f", "arguments": {"a": "x"}, oh</tool_call> <tool_call>{"name": "f", "arguments": {"b": 1}}</tool_call>',
    1,
  ],
  [
    'has its arguments twice',
    '<tool_call>{"name": "f", "arguments": {"a": "x"}, "arguments": {"b": 1}}</tool_call>',
    1,
  ],
])('a call that %s becomes text again', async (_, answer, count) => {
  const { parts, whole, toolCalls = [] } = await answering(answer, { template: plain('<tool_call>'), chat: { tools } });
  const at = parts.findIndex(({ discarded }) => discarded);
  expect(parts[at]).toEqual({ type: 'toolCall', index: 0, argumentsText: '', discarded: true });
  expect(parts.slice(0, at).every(({ type }) => type === 'toolCall')).toBe(true);
  expect(toolCalls).toHaveLength(count);
  if (count > 0) expect(toolCalls[0].arguments).toEqual({ b: 1 });
  else expect(whole).toBe(answer);
});
