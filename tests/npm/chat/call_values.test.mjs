// Calls with values that contain syntax of the format: markers, separators, quotes. The expected values are those that
// a parser of JSON or of Python finds in the text between the first marker and the last.
import { TextGenerator } from 'quintet';
import { answering, byteModel, idsOfParts } from '../helpers/models/byte_model.mjs';

const tools = [
  { name: 'run', parameters: { type: 'object', properties: { code: { type: 'string' }, count: { type: 'integer' } } } },
];
const plain = (marker) => `{% for m in messages %}{{ m.content }}{% endfor %}{# ${marker} #}`;
const json = (code, name = 'arguments') => `{"name": "run", "${name}": {"code": ${JSON.stringify(code)}}}`;
const deepSeek = (code) =>
  `<｜tool▁call▁begin｜>function<｜tool▁sep｜>run\n\`\`\`json\n${JSON.stringify({ code })}\n\`\`\`<｜tool▁call▁end｜>`;
const hunyuan = (code) => `<tool_call>run\n\`\`\`json\n${JSON.stringify({ code })}\n\`\`\`</tool_call>`;
const tagged = (...values) =>
  `\n<function=run>\n${values.map((value) => `<parameter=code>\n${value}\n</parameter>\n`).join('')}</function>\n`;
const called = (code) => ({ name: 'run', arguments: { code } });

/** By name: the template, what begins and ends a call, and a call with a text as its argument. */
const formats = {
  Hermes: [plain('<tool_call>'), '<tool_call>', '</tool_call>', json],
  list: [plain('<|tool_call|>'), '<|tool_call|>', '<|/tool_call|>', (code) => `[${json(code)}]`],
  DeepSeek: [plain('<｜tool▁calls▁begin｜>'), '<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>', deepSeek],
  Hunyuan: [plain('<tool_calls><tool_call>…```json'), '<tool_calls>', '</tool_calls>', hunyuan],
  // Strings of JSON are strings of Python, except for half surrogates.
  LFM2: [
    plain('<|tool_list_start|>'),
    '<|tool_call_start|>',
    '<|tool_call_end|>',
    (code) => `[run(code=${JSON.stringify(code)})]`,
  ],
  "SmolLM3's Python": [
    plain('python_tools <code>'),
    '<code>',
    '</code>',
    (code) => `run(code=${JSON.stringify(code)})`,
  ],
  'OLMo 3': [
    plain('<function_calls>'),
    '<function_calls>',
    '</function_calls>',
    (code) => `run(code=${JSON.stringify(code)})`,
  ],
  'Gemma 4': [
    plain('<|tool_call> <tool_call|>'),
    '<|tool_call>',
    '<tool_call|>',
    (code) => `call:run{code:<|"|>${code}<|"|>}`,
  ],
  'Qwen3-Coder': [plain('<tool_call><function=…><parameter=…>'), '<tool_call>', '</tool_call>', (code) => tagged(code)],
};
const optionsOf = (name) =>
  name.includes('Python') ? { chat: { variables: { python_tools: ['def run(code)'] } } } : { chat: { tools } };

describe.each(Object.entries(formats))('%s', (name, [template, begin, end, call]) => {
  const options = { template, ...optionsOf(name) };
  const values = [`x ${end} y`, `${begin} x ${end}${end}`, `"${end}'\\`, `'${end}`, `a \\" ${end}`, `# ${end}`, `\\`];

  test('the end in a value is part of it, as text', async () => {
    for (const value of values) {
      const got = await answering([`So: ${begin}${call(value)}${end}Well.`], options);
      expect(got).toMatchObject({
        text: 'So: Well.',
        whole: 'So: Well.',
        toolCalls: [called(value)],
        unparsedToolCalls: undefined,
      });
    }
  });

  test('several calls, each with the end in a value', async () => {
    const answer = values.map((value) => `${begin}${call(value)}${end}`).join('\n');
    expect(await answering([answer], options)).toMatchObject({
      text: '',
      toolCalls: values.map(called),
      unparsedToolCalls: undefined,
    });
  });

  test('markers that are special tokens are these tokens, and text is text', async () => {
    const special = [begin, end];
    const before = `Begin with ${begin}, end with ${end}. `;
    const calls = values.flatMap((value) => [{ token: begin }, call(value), { token: end }]);
    expect(await answering([before, ...calls, 'Well.'], { ...options, special })).toMatchObject({
      text: `${before}Well.`,
      toolCalls: values.map(called),
      unparsedToolCalls: undefined,
    });
    // A token ends the call, even if values are open.
    const cut = call('abc').slice(0, call('abc').indexOf('abc') + 1);
    expect(await answering([{ token: begin }, cut, { token: end }, 'Well.'], { ...options, special })).toMatchObject({
      text: `${begin}${cut}${end}Well.`,
      toolCalls: undefined,
      unparsedToolCalls: [`${begin}${cut}${end}`],
    });
  });

  test('a beginning that is only mentioned, or of an abandoned call, is text', async () => {
    for (const mention of [
      `Use ${begin}.\n`,
      `${begin}\n`,
      `Two: ${begin}, ${begin}. `,
      `${begin}${call('x').slice(0, 8)}\n`,
    ]) {
      const got = await answering([`${mention}${begin}${call('y')}${end}Well.`], options);
      expect(got).toMatchObject({ text: `${mention}Well.`, whole: `${mention}Well.`, toolCalls: [called('y')] });
    }
  });

  test('a call that is cut off in a value is text, once and complete', async () => {
    const value = `x ${end} y ${begin} z`;
    const answer = `Hi ${begin}${call(value)}`;
    const cut = answer.slice(0, answer.lastIndexOf(' z'));
    const got = await answering([answer], { ...options, maxTokens: new TextEncoder().encode(cut).length });
    expect(got).toMatchObject({
      text: cut,
      whole: cut,
      reason: 'length',
      toolCalls: undefined,
      unparsedToolCalls: [cut.slice('Hi '.length)],
    });
  });

  // Work is counted in the characters that strings and expressions are searched in.
  test.each([
    ['ends in an open value', (count) => `${begin}${call('|').split('|')[0]}${end.repeat(count / 2)}`],
    ['calls that do not end in themselves', (count) => `${begin}"${end}`.repeat(count / 4)],
    ['quotes of three', (count) => `${begin}run(""" "${end}`.repeat(count / 6)],
    ['white space', (count) => ' '.repeat(12 * count)],
  ])('time is linear in the length of the answer: %s', async (_, answer) => {
    const [half, whole] = [await workOf(answer(48), options), await workOf(answer(96), options)];
    expect(half).toBeGreaterThan(0);
    expect(whole).toBeLessThan(2.5 * half);
  });
});

async function workOf(answer, options) {
  const searches = ['indexOf', 'includes', 'matchAll', 'replace', 'split', 'trim', 'trimStart'].map((name) => [
    name,
    String.prototype[name],
  ]);
  let work = 0;
  for (const [name, search] of searches) {
    String.prototype[name] = function counted(...args) {
      work += this.length;
      return search.apply(this, args);
    };
  }
  try {
    expect((await answering([answer], options)).text).toBe(answer);
    return work;
  } finally {
    for (const [name, search] of searches) String.prototype[name] = search;
  }
}

test('separators within strings are part of them', async () => {
  const cases = [
    [plain('<|python_tag|>'), `${json('x; {y}', 'parameters')}; ${json('z;{"', 'parameters')}`, ['x; {y}', 'z;{"']],
    [
      plain('[TOOL_CALLS]'),
      `[TOOL_CALLS][${json('x [ARGS] y')}, ${json('[TOOL_CALLS]')}]`,
      ['x [ARGS] y', '[TOOL_CALLS]'],
    ],
    [
      plain('[TOOL_CALLS]'),
      '[TOOL_CALLS]run[ARGS]{"code": "[TOOL_CALLS]run[ARGS]{}"}[TOOL_CALLS]run[CALL_ID]abcdefghi[ARGS]{"code": "z"}',
      ['[TOOL_CALLS]run[ARGS]{}', 'z'],
    ],
    [
      plain('<｜tool▁calls▁begin｜>'),
      `<｜tool▁calls▁begin｜>${deepSeek('<｜tool▁call▁end｜>')}\n${deepSeek('\n```<｜tool▁call▁end｜>')}<｜tool▁calls▁end｜>`,
      ['<｜tool▁call▁end｜>', '\n```<｜tool▁call▁end｜>'],
    ],
  ];
  for (const [template, answer, values] of cases) {
    const { text, toolCalls } = await answering([answer], { template, chat: { tools } });
    expect([text, toolCalls?.map((call) => call.arguments.code)]).toEqual(['', values]);
  }
});

test.each([
  ['[TOOL_CALLS]', '[TOOL_CALLS]run[ARGS]{"code": "x'],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁begin｜>' + deepSeek('x').replace('"}', '}') + '<｜tool▁calls▁end｜>'],
])('arguments that are not JSON are not taken for empty ones: %s', async (marker, answer) => {
  expect(await answering([answer], { template: plain(marker), chat: { tools } })).toMatchObject({
    text: answer,
    toolCalls: undefined,
    unparsedToolCalls: [answer],
  });
});

test('after an extra quote the next call is read, and the answer continues', async () => {
  const [template] = formats.Hermes;
  const cases = [
    ['', ' And: ', 'y'],
    ['', ' And:\n', 'y </tool_call>'],
    ['\n', ' And:\n', 'y </tool_call>'],
  ];
  for (const [space, between, value] of cases) {
    const bad = `<tool_call>${space}{"name": "run", "arguments": {"code": "x}}${space}</tool_call>`;
    const good = `<tool_call>${space}${json(value)}${space}</tool_call>`;
    const got = await answering([`${bad}${between}${good} Well.`], { template, chat: { tools } });
    expect(got).toMatchObject({ text: `${bad}${between}Well.`, toolCalls: [called(value)], unparsedToolCalls: [bad] });
  }
});

// According to Python's reference, 2.4.1:
// https://docs.python.org/3/reference/lexical_analysis.html#string-and-bytes-literals
test('strings of Python: triple quotes, both kinds, escapes and comments', async () => {
  const [template, begin, end] = formats["SmolLM3's Python"];
  const cases = [
    ["'it\\'s </code>'", "it's </code>"],
    ['"""\nprint("</code>")\nrun(code=1)\n"""', '\nprint("</code>")\nrun(code=1)\n'],
    ["'''a \"\"\" 'b' \\''''", 'a """ \'b\' \''],
    ['""" \\""" """', ' """ '],
    ['"""a\\\nb"""', 'ab'],
    ["''", ''],
    ['""', ''],
    ['"a" \'b\'', 'ab'],
    ["'\\x41\\101\\u00e9\\n'", 'AAé\n'],
    ["'#' # don't </code", '#'],
  ];
  const code = cases.map(([literal]) => `run(\n  code=${literal}\n)`).join('\n');
  const got = await answering([`${begin}\n# It's so.\n${code}\n${end} Well.`], { template, ...optionsOf('Python') });
  expect(got).toMatchObject({
    text: 'Well.',
    toolCalls: cases.map(([, value]) => called(value)),
    unparsedToolCalls: undefined,
  });
});

test('Python: code in an open string is never called', async () => {
  const [template, begin, end] = formats["SmolLM3's Python"];
  const answer = `${begin}run(code='x ${end} ${begin}run(code="y")${end}`;
  expect(await answering([answer], { template, ...optionsOf('Python') })).toMatchObject({
    text: answer,
    toolCalls: undefined,
    unparsedToolCalls: [answer],
  });
});

describe('Qwen3-Coder: values between tags', () => {
  const [template, begin, end] = formats['Qwen3-Coder'];
  const options = { template, chat: { tools } };
  const wholeCall = `Say ${begin}${tagged('1', '2')}${end}, please`;

  test.each([
    'a </parameter> b',
    'a </function> b',
    'a </function>\n</parameter> b',
    '<parameter=x> a',
    '<function=f>',
    `a ${begin} b`,
    `a ${begin}\n<function=f> b`,
    '<parameter=a>1</parameter>, <parameter=b>',
    wholeCall,
    `${wholeCall} ${wholeCall}`,
  ])('a value ends at a tag before the end or the next value: %s', async (value) => {
    const more = `<function=run>\n<parameter=code>\n${value}\n</parameter>\n<parameter=count>\n-5\n</parameter>\n</function>`;
    const got = await answering([`${begin}${tagged(value)}${end}\n${begin}${more}${end}Well.`], options);
    expect(got).toMatchObject({
      text: 'Well.',
      toolCalls: [called(value), { name: 'run', arguments: { code: value, count: -5 } }],
    });
  });

  test('with the end as a token, a value may even contain the end of a call', async () => {
    for (const value of ['x\n</parameter>\n</function>\n</tool_call> y', `x ${begin}\n<function=f> y`])
      expect(
        await answering([{ token: begin }, tagged(value), { token: end }], { ...options, special: [begin, end] }),
      ).toMatchObject({ text: '', toolCalls: [called(value)] });
  });

  test.each([
    ['JSON', `${begin}\n${json('x')}\n${end}`],
    ['a value without its end', `${begin}\n<function=run>\n<parameter=code>\n1\n</function>\n${end}`],
    ['a function without its end', `${begin}\n<function=run>\n<parameter=code>\n1\n</parameter>\n${end}`],
  ])('%s takes nothing from what follows', async (_, bad) => {
    const got = await answering([`${bad} And: ${begin}${tagged('y')}${end}`], options);
    expect(got).toMatchObject({ text: `${bad} And: `, toolCalls: [called('y')], unparsedToolCalls: [bad] });
  });

  test('literals of arguments without a known type keep their sign', async () => {
    const typed = [{ name: 'run', parameters: { properties: { code: { type: 'any' } } } }];
    for (const [written, value] of [
      ['-7', -7],
      ['5-', '5-'],
      ['- 7', -7],
      ['"x"', 'x'],
      ['"x', '"x'],
      ['[\'x\', """y\n\'"""]', ['x', "y\n'"]],
    ]) {
      const got = await answering([`${begin}${tagged(written)}${end}`], { template, chat: { tools: typed } });
      expect(got.toolCalls).toEqual([called(value)]);
    }
  });
});

describe('Llama 3: JSON is a call if it names a tool and has arguments', () => {
  const template = plain('<|python_tag|>');
  const options = { template, chat: { tools } };

  test.each([
    '{"name": "Alice", "age": 30}',
    '{"name": "Rex", "parameters": {"size": 2}}',
    ' {"name": "x"}\n',
    '{"title": "x"}',
    '{"name": "run"}',
    '{"name": "run", "code": "x"}',
    '{"name": "runs", "parameters": {}}',
    '{"name": "run", "parameters": [1]}',
    '{"name": ["run"], "parameters": {}}',
    '{"type": "function", "name": "f", "parameters": {}}',
    `${json('x', 'parameters')}; {"name": "Alice"}`,
    '{',
    '{}',
    '{"name"',
    '{"name": "toString", "parameters": {}}',
    '{"__proto__": {"parameters": {}}, "name": "run"}',
  ])('%s is text', async (answer) => {
    expect(await answering([answer], options)).toMatchObject({
      text: answer,
      whole: answer,
      toolCalls: undefined,
      unparsedToolCalls: undefined,
    });
  });

  test.each([
    json('x', 'parameters'),
    json('x'),
    `\n ${json('x', 'parameters')}\n`,
    '{"parameters": {"code": "x"}, "name": "run"}',
    '{"type": "function", "name": "run", "parameters": {"code": "x"}}',
    '{ "name" : "run", "parameters": "{\\"code\\": \\"x\\"}"}',
  ])('%s is a call', async (answer) => {
    expect(await answering([answer], options)).toMatchObject({ text: '', toolCalls: [called('x')] });
    const openAi = { template, chat: { tools: [{ type: 'function', function: tools[0] }] } };
    expect(await answering([answer], openAi)).toMatchObject({ text: '', toolCalls: [called('x')] });
  });

  test('a call that is cut off is text, and reported as unread', async () => {
    const answer = '{"name": "run", "parameters": {"code": "x';
    expect(await answering([answer], options)).toMatchObject({
      text: answer,
      toolCalls: undefined,
      unparsedToolCalls: [answer],
    });
  });

  test('after the marker, names and arguments are for the caller to judge', async () => {
    const special = ['<|python_tag|>'];
    const got = await answering(['I look. ', { token: special[0] }, '{"name": "other"}'], { ...options, special });
    expect(got).toMatchObject({ text: 'I look. ', toolCalls: [{ name: 'other', arguments: {} }] });
    const text = `${special[0]}{"name": "other"}`;
    expect(await answering([text], { ...options, special })).toMatchObject({
      text,
      toolCalls: undefined,
      unparsedToolCalls: undefined,
    });
  });

  test('other JSON appears as it is written', async () => {
    const model = await TextGenerator.load(byteModel(template));
    const ids = idsOfParts(['{"name": "Alice", "age": 30, "more": "'], []);
    let next = 0;
    const generation = model.generate([{ role: 'user', content: 'x' }], {
      chat: { tools },
      // The answer never ends.
      logitsProcessor(logits) {
        logits.fill(-Infinity);
        logits[ids[next++] ?? ids.at(-2)] = 1;
      },
      maxTokens: 1000,
    });
    let read = '';
    for await (const { text } of generation) if ((read += text).length >= '{"name": "Alice"'.length) break;
    expect('{"name": "Alice", "age": 30').toContain(read);
    model.close();
  });
});
