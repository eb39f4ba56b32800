// Integers beyond 2^53 in what a model answers: exact where the caller asks for it, with `largeIntegers`.
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { answering, byteModel } from '../helpers/models/byte_model.mjs';

const tools = [
  {
    name: 'f',
    parameters: {
      properties: { a: { type: 'integer' }, b: { type: 'object' }, c: { type: 'number' }, d: { type: 'any' } },
    },
  },
];
const plain = (marker) => `{% for m in messages %}{{ m.content }}{% endfor %}{# ${marker} #}`;
/** The limits of 64 bits; and 2^53 + 1, the first integer that is not a float64. */
const [signed, unsigned, first] = ['-9223372036854775808', '18446744073709551615', '9007199254740993'];
const exact = {
  a: -9223372036854775808n,
  b: { x: [18446744073709551615n, 9007199254740991, 1e30, '18446744073709551615'] },
  c: 9007199254740993n,
  d: 1.5,
};
// Rounded as in the standard: ECMA-262, NumberValue of a literal.
const rounded = {
  a: -(2 ** 63),
  b: { x: [2 ** 64, 9007199254740991, 1e30, '18446744073709551615'] },
  c: 2 ** 53,
  d: 1.5,
};

const json = `{"a": ${signed}, "b": {"x": [${unsigned}, 9007199254740991, 1e30, "${unsigned}"]}, "c":${first}, "d": 1.5}`;
const python = json.slice(1, -1).replace(/"(\w)": ?/g, (_, key) => (key === 'x' ? '"x": ' : `${key}=`));
const tagged = `<function=f><parameter=a>${signed}</parameter><parameter=b>{"x": [${unsigned}, 9007199254740991, 1e30, "${unsigned}"]}</parameter><parameter=c>+${first}</parameter><parameter=d>1.5</parameter></function>`;
const answers = {
  Hermes: ['<tool_call>', `<tool_call>{"name": "f", "arguments": ${json}}</tool_call>`],
  'Hermes, arguments as text': [
    '<tool_call>',
    `<tool_call>{"name": "f", "arguments": ${JSON.stringify(json)}}</tool_call>`,
  ],
  'Llama 3': ['<|python_tag|>', `{"name": "f", "parameters": ${json}}`],
  Mistral: ['[TOOL_CALLS]', `[TOOL_CALLS]f[ARGS]${json}`],
  DeepSeek: [
    '<｜tool▁calls▁begin｜>',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  Hunyuan: [
    '<tool_calls><tool_call>```json',
    `<tool_calls><tool_call>f\n\`\`\`json\n${json}\n\`\`\`</tool_call></tool_calls>`,
  ],
  LFM2: ['<|tool_list_start|>', `<|tool_call_start|>[f(${python})]<|tool_call_end|>`],
  'Qwen3-Coder': ['<tool_call><function=…><parameter=…>', `<tool_call>${tagged}</tool_call>`],
};

test.each(Object.entries(answers))('%s', async (_, [marker, answer]) => {
  const options = { template: plain(marker), chat: { tools } };
  expect((await answering(answer, { ...options, largeIntegers: 'bigint' })).toolCalls).toEqual([
    { name: 'f', arguments: exact },
  ]);
  for (const more of [{}, { largeIntegers: 'number' }]) {
    expect((await answering(answer, { ...options, ...more })).toolCalls).toEqual([{ name: 'f', arguments: rounded }]);
  }
});

test('an exact call returns to the conversation unchanged', async () => {
  const template =
    '{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments.a }} {{ c.function.arguments.b.x[0] }}{% endfor %}{% endfor %}';
  const model = await TextGenerator.load(byteModel(template));
  const messages = [{ role: 'assistant', toolCalls: [{ name: 'f', arguments: exact }] }];
  expect((await model.applyChatTemplate(messages)).text).toBe(`${signed} ${unsigned}`);
  model.close();
});

/** The value of `json()` for a text that a grammar forces. */
async function jsonOf(text, options) {
  const model = await TextGenerator.load(byteModel(plain('')));
  try {
    return await model
      .generate('x', { grammar: `root ::= ${JSON.stringify(text)}`, maxTokens: 500, ...options })
      .json();
  } finally {
    model.close();
  }
}

test('json()', async () => {
  const text = `{"s1": "i1", "${unsigned}": ${unsigned}, "i": [${signed},-${first}, 0, -0, 1E2, 12345678901234567890.0, 9007199254740992], "s": "s\\"${unsigned}: ", "__proto__": ${first}, "e": ""}`;
  const value = await jsonOf(text, { largeIntegers: 'bigint' });
  expect(Object.entries(value)).toEqual([
    ['s1', 'i1'],
    [unsigned, 18446744073709551615n],
    ['i', [-9223372036854775808n, -9007199254740993n, 0, -0, 100, 12345678901234567890, 9007199254740992n]],
    ['s', `s"${unsigned}: `],
    ['__proto__', 9007199254740993n],
    ['e', ''],
  ]);
  expect(await jsonOf(text)).toEqual(JSON.parse(text));
  for (const [whole, expected] of [
    [unsigned, 18446744073709551615n],
    [`"${unsigned}"`, unsigned],
    ['[]', []],
    ['null', null],
  ]) {
    expect(await jsonOf(whole, { largeIntegers: 'bigint' })).toEqual(expected);
  }
});

test.each(['12345678901234567890,', '{12345678901234567890: 1}', '[012345678901234567890]', '"\\"', ''])(
  'what is no JSON is none with large integers: %s',
  async (text) => {
    const error = await failureOf(jsonOf(text, { largeIntegers: 'bigint' }));
    expect(error).toMatchObject({ code: 'INPUT', reason: 'malformed' });
  },
);

test('other values of the option are rejected', async () => {
  const error = await failureOf(jsonOf('1', { largeIntegers: true }));
  expect(error).toMatchObject({ code: 'INPUT', message: expect.stringMatching(/largeIntegers/) });
});
