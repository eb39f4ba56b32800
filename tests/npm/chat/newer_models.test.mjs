// Answers of Gemma 4, Qwen3.5 and Hunyuan: expected is what their chat templates make of such calls and thoughts, and
// what the parsers of Ollama, vLLM (hunyuan_a13b) and ms-swift read.
import { TextGenerator } from 'quintet';
import { answering, byteModel, idsOfParts } from '../helpers/models/byte_model.mjs';

const plain = (markers, prompt = '') => `{% for m in messages %}{{ m.content }}{% endfor %}${prompt}{# ${markers} #}`;
const gemma = (prompt) => plain('<|tool_call> <tool_call|> <|channel> <channel|>', prompt);
const gemmaTokens = ['<|tool_call>', '<tool_call|>', '<|"|>', '<|channel>', '<channel|>'];
const qwen = (prompt) => plain('<tool_call> <function= <parameter= <think> </think>', prompt);
const tools = [
  {
    name: 'f',
    parameters: {
      type: 'object',
      properties: {
        a: { type: 'string' },
        optionalText: { type: ['string', 'null'] },
        optionalCount: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        either: { type: ['boolean', 'number', 'string'] },
        list: { $ref: '#/$defs/list' },
        level: { enum: [1, 2] },
      },
      $defs: { list: { type: 'array' } },
    },
  },
];

describe('Gemma 4', () => {
  const q = '<|"|>';
  const text = (value) => `${q}${value}${q}`;
  const callOf = (args, name = 'f') => `<|tool_call>call:${name}${args}<tool_call|>`;

  const values = {
    nothing: ['{}', {}],
    text: [`{city:${text('Paris')}}`, { city: 'Paris' }],
    'numbers, words and texts that say the same': [
      `{n:-1.5e3,i:42,yes:true,no:false,none:null,t:${text('42')},w:${text('null')}}`,
      { n: -1500, i: 42, yes: true, no: false, none: null, t: '42', w: 'null' },
    ],
    'lists and objects': [
      `{a:[${text('x')},[1,{b:{c:${text('y')}}}],[]],o:{}}`,
      { a: ['x', [1, { b: { c: 'y' } }], []], o: {} },
    ],
    'what has a meaning elsewhere': [
      `{a:${text('{"k": [1, 2]}, b:1')},c:${text('say "hi" \\" \\n C:\\')},d:${text("O'Neil")}}`,
      { a: '{"k": [1, 2]}, b:1', c: 'say "hi" \\" \\n C:\\', d: "O'Neil" },
    ],
    'line feeds, half of a quote, other alphabets': [
      `{a:${text('1\n\t2\n')},b:${text('<|"')},c:${text('Zürich 東京 👩‍👩‍👧')},été:1}`,
      { a: '1\n\t2\n', b: '<|"', c: 'Zürich 東京 👩‍👩‍👧', été: 1 },
    ],
    'white space between': [`{ a : 1,\n  b:[ 2, ${text('x')} ] }`, { a: 1, b: [2, 'x'] }],
    'texts and keys in JSON': [`{a:"x \\"y\\", z: 1","b c":${text('d')}}`, { a: 'x "y", z: 1', 'b c': 'd' }],
    'keys that look like values, and texts without quotes': [
      `{1:2,true:New York,x:a-b}`,
      { 1: 2, true: 'New York', x: 'a-b' },
    ],
  };

  test.each(Object.entries(values))('%s', async (_, [written, args]) => {
    for (const special of [[], gemmaTokens]) {
      expect(await answering(callOf(written), { template: gemma(), special, chat: { tools } })).toMatchObject({
        text: '',
        toolCalls: [{ name: 'f', arguments: args }],
        unparsedToolCalls: undefined,
      });
    }
  });

  test('everything else stays in the text', async () => {
    for (const bad of ['{a:1', `{a:${q}x}`, '{a:}', '{a:1} b', '{a b}', '{a:https://x.y}', '[1]', '{a:1}{b:2}']) {
      const answer = `Hm ${callOf(bad)}`;
      const { text, toolCalls, unparsedToolCalls } = await answering(answer, { template: gemma(), chat: { tools } });
      expect([text, toolCalls, unparsedToolCalls]).toEqual([answer, undefined, [answer.slice('Hm '.length)]]);
    }
  });

  test('large integers', async () => {
    const options = { template: gemma(), chat: { tools }, largeIntegers: 'bigint' };
    const { toolCalls } = await answering(callOf('{a:9007199254740993,b:[-1]}'), options);
    expect(toolCalls).toEqual([{ name: 'f', arguments: { a: 9007199254740993n, b: [-1] } }]);
  });

  test('texts are streamed as they are written', async () => {
    const { parts } = await answering(callOf(`{a:${text('a "long" text\n')},n:1}`), {
      template: gemma(),
      chat: { tools },
    });
    expect(parts.map(({ argumentsText }) => argumentsText).slice(0, 8)).toEqual([
      '',
      '{',
      '"a":',
      '"',
      'a',
      ' ',
      '\\"',
      'l',
    ]);
  });

  const thought = '<|channel>thought\nTwo\n\nways.\n<channel|>';
  test.each([
    ['before the text', '', `${thought}Well.`, 'Well.', 'Two\n\nways.'],
    ['several', '', `${thought}${thought}Well.`, 'Well.', 'Two\n\nways.\nTwo\n\nways.'],
    ['none, in their form', '', '<|channel>thought\n<channel|>Well.', 'Well.', undefined],
    [
      'begun by the prompt, as after the result of a tool',
      '<|channel>thought\n',
      'So.\n<channel|>Well.',
      'Well.',
      'So.',
    ],
    [
      'ended by the prompt, as in large models',
      '<|channel>thought\n<channel|>',
      'thought\nWell.',
      'thought\nWell.',
      undefined,
    ],
    ['of another channel', '', '<|channel>plan: a<channel|>Well.', 'Well.', 'plan: a'],
    ['cut', '', '<|channel>thou', '', 'thou'],
  ])('thoughts %s', async (_, prompt, answer, whole, reasoning) => {
    for (const special of [[], gemmaTokens]) {
      const got = await answering(answer, { template: gemma(prompt), special });
      expect([got.text, got.reasoning]).toEqual([whole, reasoning]);
    }
  });

  test('a call that is ended twice', async () => {
    const calls = [{ name: 'f', arguments: {} }];
    for (const special of [[], gemmaTokens]) {
      for (const [after, text] of [
        ['', ''],
        ['\nDone.', 'Done.'],
        ['<tool_', '<tool_'],
      ]) {
        const got = await answering(`${callOf('{}')}<tool_call|>${after}`, {
          template: gemma(),
          special,
          chat: { tools },
        });
        expect([got.text, got.toolCalls]).toEqual([text, calls]);
      }
    }
  });

  test.each(['<turn|>', '<|tool_response>'])('%s ends the answer', async (end) => {
    const special = [...gemmaTokens, '<turn|>', '<|tool_response>'];
    const parts = [{ token: '<|tool_call>' }, 'call:f{}', { token: '<tool_call|>' }, { token: end }, 'more'];
    const ids = idsOfParts(parts, special);
    const model = await TextGenerator.load(byteModel(gemma(), special));
    const generation = model.generate([{ role: 'user', content: 'x' }], {
      chat: { tools },
      logitsProcessor(logits) {
        logits.fill(-Infinity);
        logits[ids.shift()] = 1;
      },
    });
    expect(await generation.text()).toBe('');
    expect(await generation.finished).toMatchObject({ reason: 'eos', toolCalls: [{ name: 'f', arguments: {} }] });
    model.close();
  });
});

describe('Qwen3.5', () => {
  const tagged = (args) =>
    `<tool_call>\n<function=f>\n${Object.entries(args)
      .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
      .join('')}</function>\n</tool_call>`;
  const options = { template: qwen('<think>\n'), chat: { tools } };
  const call = { name: 'f', arguments: { a: 'x' } };

  test.each([
    ['ended before the call', `Hm.\n</think>\n\n${tagged({ a: 'x' })}`, 'Hm.', '', [call]],
    ['ended by the call', `Hm.\n${tagged({ a: 'x' })}`, 'Hm.', '', [call]],
    [
      'with a call that is only mentioned',
      'Use <tool_call>.\n<tool_call>\n</think>\n\nWell.',
      'Use <tool_call>.\n<tool_call>',
      'Well.',
      undefined,
    ],
    ['begun once more', '<think>\nHm.\n</think>\n\nWell.', 'Hm.', 'Well.', undefined],
    ['never ended', 'Hm. <', 'Hm. <', '', undefined],
  ])('thoughts %s', async (_, answer, reasoning, text, toolCalls) => {
    for (const special of [[], ['<tool_call>', '</tool_call>', '<think>', '</think>'], ['<tool_call>', '</tool_call>']])
      expect(await answering(answer, { ...options, special })).toMatchObject({ text, reasoning, toolCalls });
  });

  test('several types, references, and types of values', async () => {
    const cases = [
      ['optionalText', '5', '5'],
      ['optionalText', 'null', null],
      ['optionalCount', '5', 5],
      ['optionalCount', 'null', null],
      ['optionalCount', 'many', 'many'],
      ['either', 'True', true],
      ['either', '2.5', 2.5],
      ['either', 'x', 'x'],
      ['list', '[1, "a"]', [1, 'a']],
      ['level', '2', 2],
      ['unknown', '2', '2'],
    ];
    for (const [key, written, value] of cases) {
      const { toolCalls } = await answering(`</think>${tagged({ [key]: written })}`, options);
      expect([key, written, toolCalls[0].arguments[key]]).toEqual([key, written, value]);
    }
  });
});

describe('Hunyuan', () => {
  const template = plain('<think> </think> <answer> <tool_calls><tool_call>```json');
  const tags = ['<think>', '</think>', '<answer>', '</answer>'];
  const call = (args) => `<tool_call>f\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`</tool_call>`;
  const calls = `<tool_calls>${call({ a: 'x' })}\n${call({})}</tool_calls>`;
  const both = [{ a: 'x' }, {}].map((args) => ({ name: 'f', arguments: args }));

  test.each([
    ['with thoughts', '<think>\nHm.\n</think>\n<answer>\nWell.\n\nSo.\n</answer>', 'Hm.', 'Well.\n\nSo.', undefined],
    ['without thoughts', '<think>\n\n</think>\n<answer>\nWell.\n</answer>', undefined, 'Well.', undefined],
    ['after thoughts that the prompt has ended', '<answer>\nWell.\n</answer>', undefined, 'Well.', undefined],
    ['alone', 'Well.', undefined, 'Well.', undefined],
    ['cut', '<think>\nHm.\n</think>\n<answer>\nWell.\n', 'Hm.', 'Well.\n', undefined],
    ['cut in the tag', '<think>\nHm.\n</think>\n<answer>\nWell.\n</ans', 'Hm.', 'Well.\n</ans', undefined],
    ['not begun', '<think>\nHm.\n</think>\n<ans', 'Hm.', '<ans', undefined],
    [
      'with tags that are only mentioned',
      'An <answer> x </answer> y',
      undefined,
      'An <answer> x </answer> y',
      undefined,
    ],
    ['and calls', `<think>\nHm.\n</think>\n<answer>\nSo:\n${calls}\n</answer>`, 'Hm.', 'So:\n', both],
    ['and calls after it', `<think>\nHm.\n</think>\n<answer>\nSo:\n</answer>\n${calls}`, 'Hm.', 'So:', both],
    ['calls alone', `<think>\nHm.\n</think>\n${calls}`, 'Hm.', '', both],
  ])('an answer %s', async (_, answer, reasoning, text, toolCalls) => {
    for (const special of [[], tags])
      expect(await answering(answer, { template, special, chat: { tools } })).toMatchObject({
        text,
        reasoning,
        toolCalls,
      });
  });
});

// The template of transformers' tokenizer for ERNIE 4.5 defines its tokens itself, unless the caller does.
test('ERNIE 4.5', async () => {
  const template = `{%- if not sep_token is defined -%}{%- set sep_token = '<|end_of_sentence|>' -%}{%- endif -%}
{%- for m in messages -%}{%- if m['role'] == 'assistant' -%}{{- 'Assistant: ' + m['content'] + sep_token -}}
{%- elif m['role'] == 'user' -%}{{- 'User: ' + m['content'] + '\n' -}}
{%- else -%}{{- m['content'] + '\n' -}}{%- endif -%}{%- endfor -%}{{- 'Assistant: ' -}}`;
  const model = await TextGenerator.load(byteModel(template, ['<|end_of_sentence|>']));
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello <|end_of_sentence|>' },
    { role: 'user', content: 'Why?' },
  ];
  const { text, ids } = await model.applyChatTemplate(messages);
  expect(text).toBe(
    'Be brief.\nUser: Hi\nAssistant: Hello <|end_of_sentence|><|end_of_sentence|>User: Why?\nAssistant: ',
  );
  // The token is only what the template wrote, not what the message says.
  const [end] = idsOfParts([{ token: '<|end_of_sentence|>' }], ['<|end_of_sentence|>']);
  expect([...ids].filter((id) => id === end)).toHaveLength(1);
  model.close();
});
