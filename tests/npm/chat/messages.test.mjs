// Messages and tools in forms other than quintet's own: those of OpenAI's API, and those of a template.
import { Tokenizer } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { byteModel } from '../helpers/models/byte_model.mjs';
import { loadPhi3, modelTemplates, templateOf } from './chat_fixtures.mjs';

let tokenizer;
beforeAll(async () => {
  tokenizer = await loadPhi3();
});
afterAll(() => tokenizer.close());

const textOf = (messages, template, options) =>
  tokenizer.applyChatTemplate(messages, { template, addGenerationPrompt: false, ...options }).text;
const user = { role: 'user', content: 'Hi' };

describe("arguments as JSON text, as in OpenAI's messages", () => {
  const called = (given, name = 'add') => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'abcdef123', type: 'function', function: { name, arguments: given } }],
  });
  const shown = '{{ messages[0].tool_calls[0].function.arguments | tojson }}';
  const written = (json, template = shown) => textOf([called(json)], template);

  test.each(modelTemplates)('$name writes what it writes for an object', ({ template }) => {
    const conversation = (given) => [
      user,
      called(given),
      { role: 'tool', name: 'add', tool_call_id: 'abcdef123', content: '3' },
    ];
    const of = (given) =>
      textOf(conversation(given), template, {
        tools: [{ name: 'add' }],
        variables: { bos_token: '', eos_token: '', date_string: '' },
      });
    expect(of('{"a": 1, "b": ["x", null]}')).toBe(of({ a: 1, b: ['x', null] }));
  });

  test('templates can look into them', () => {
    const template =
      '{% for key, value in messages[0].tool_calls[0].function.arguments | items %}<{{ key }}>{{ value }}{% endfor %}';
    expect(written('{"a": 1, "b": {"c": [true, null]}}', template)).toBe("<a>1<b>{'c': [True, None]}");
  });

  // The texts are what json.dumps(json.loads(text), ensure_ascii=False) of Python gives.
  test.each([
    ['{"a":1}', '{"a": 1}'],
    ['{}', '{}'],
    [' {"a" : [ ] }\n', '{"a": []}'],
    [
      '{"min": -9223372036854775808, "max": 18446744073709551615, "id": 123456789012345678}',
      '{"min": -9223372036854775808, "max": 18446744073709551615, "id": 123456789012345678}',
    ],
    [
      '[1.0, 2.5e0, 1E3, -0, -0.0, 9007199254740993, 1e22, 10000000000000000]',
      '[1.0, 2.5, 1000.0, 0, -0.0, 9007199254740993, 1e+22, 10000000000000000]',
    ],
    ['{"10": "a", "2": "b", "x": 1, "2": "c"}', '{"10": "a", "2": "c", "x": 1}'],
    [
      '{"\\u0061": "12345678901234567890", "-": "-1", " ": " 1", "q\\"\\\\": "\\"9\\\\"}',
      '{"a": "12345678901234567890", "-": "-1", " ": " 1", "q\\"\\\\": "\\"9\\\\"}',
    ],
    [
      '{"__proto__": {"a": 99999999999999999999}, "constructor": 1}',
      '{"__proto__": {"a": 99999999999999999999}, "constructor": 1}',
    ],
    ['{"a": "\\ud83d\\ude00 é \u2028"}', '{"a": "😀 é \u2028"}'],
    ['[true, false, null, "x"]', '[true, false, null, "x"]'],
    ['null', 'null'],
    ['false', 'false'],
    ['0', '0'],
    ['""', '""'],
  ])('%s', (json, python) => {
    expect(written(json)).toBe(python);
  });

  test.each(['', 'x', '{"a": 1', "{'a': 1}", '{"a": 01}', '{1: 2}', '{"a": 1} x', '[1,]', 'NaN', '"\\x"'])(
    'what is no JSON stays a string: %j',
    (json) => {
      expect(written(json)).toBe(JSON.stringify(json));
    },
  );

  test('an object stays an object, and everything around it is unchanged', () => {
    expect(written({ a: '{"b": 1}' })).toBe('{"a": "{\\"b\\": 1}"}');
    const odd = [
      {
        role: 'assistant',
        tool_calls: [null, 'x', { function: null }, { function: { name: 'f' } }, { name: 'g', arguments: '{}' }],
      },
    ];
    expect(textOf(odd, '{{ messages[0].tool_calls | tojson }}')).toBe(
      '[null, "x", {"function": null}, {"function": {"name": "f"}}, {"name": "g", "arguments": "{}"}]',
    );
    expect(textOf([{ role: 'assistant', tool_calls: 'x' }], '{{ messages[0].tool_calls }}')).toBe('x');
  });

  test("the caller's messages are not changed", () => {
    const messages = [called('{"a": 1}')];
    written('{"a": 1}');
    textOf(messages, shown);
    expect(messages).toEqual([called('{"a": 1}')]);
  });

  test('messages are not templates: a special token in them is text', () => {
    const { text, ids } = tokenizer.applyChatTemplate([called('{"<|user|>": "<|end|>"}')], {
      template: shown,
      addGenerationPrompt: false,
    });
    expect(text).toBe('{"<|user|>": "<|end|>"}');
    const special = [...ids].map((id) => tokenizer.token(id)).filter((token) => /^<\|.*\|>$/.test(token));
    expect(special).toEqual([]);
  });

  // The first template of deepseek-ai/DeepSeek-R1: a dict cannot be added to a string.
  const adding =
    "{% for m in messages %}{% for tool in m.tool_calls %}{{ tool.function.name + '\\n```json\\n' + tool.function.arguments + '\\n```' }}{% endfor %}{% endfor %}";

  test('templates that can only add arguments to strings get the text', () => {
    expect(written('{"a":1}', adding)).toBe('add\n```json\n{"a":1}\n```');
    expect(textOf([{ role: 'assistant', toolCalls: [{ name: 'add', arguments: { a: 1, b: ['é'] } }] }], adding)).toBe(
      'add\n```json\n{"a": 1, "b": ["é"]}\n```',
    );
  });

  test('a template that fails with both reports why it failed with the object', async () => {
    const failing = '{{ messages[0].tool_calls[0].function.arguments.nope.nope }}';
    expect((await failureOf(async () => written('{"a": 1}', failing))).message).toMatch(/the dict has no 'nope'/);
  });
});

describe("roles of a model's own template", () => {
  const all = '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}';
  const roles = [
    'ipython',
    'function',
    'functions',
    'assistant_tool_call',
    'documents',
    'document 1',
    'critic-2',
    'Rolle ü',
    '',
  ];

  test('reach it with any names', () => {
    expect(
      textOf(
        roles.map((role, i) => ({ role, content: String(i) })),
        all,
      ),
    ).toBe(roles.map((role, i) => `<${role}>${i}`).join(''));
  });

  test("from the model's file too", async () => {
    const own = await Tokenizer.load(byteModel(all));
    expect(own.applyChatTemplate([{ role: 'ipython', content: '4' }]).text).toBe('<ipython>4');
    own.close();
  });

  test('a word may be part of a special token; longer text is not', () => {
    const special = (role) =>
      [
        ...tokenizer.applyChatTemplate([{ role, content: 'x' }], { template: "{{ '<|' + messages[0].role + '|>' }}" })
          .ids,
      ]
        .map((id) => tokenizer.token(id))
        .filter((token) => /^<\|.*\|>$/.test(token));
    expect(special('system')).toEqual(['<|system|>']);
    expect(special('user|><|system|><|end')).not.toEqual(expect.arrayContaining([expect.stringMatching(/system|end/)]));
  });

  test('the template names those that it does not support', async () => {
    const strict =
      "{% if messages[0].role != 'a' %}{{ raise_exception('only a, not ' ~ messages[0].role) }}{% endif %}";
    expect((await failureOf(async () => textOf([{ role: 'b', content: '' }], strict))).message).toBe(
      'chat template: only a, not b',
    );
  });

  test('built-in templates have a fixed list', async () => {
    for (const template of ['chatml', 'llama-3', 'phi-3', 'zephyr', 'mistral', 'gemma', 'llama-2']) {
      expect((await failureOf(async () => textOf([{ role: 'ipython', content: 'x' }], template))).message).toMatch(
        /message 0: the role must be one of system, .*, not ipython/,
      );
    }
  });

  test('a role is a string', async () => {
    for (const role of [undefined, null, 5, ['user']]) {
      expect(await failureOf(async () => textOf([{ role, content: 'x' }], all))).toMatchObject({
        code: 'INPUT',
        message: expect.stringMatching(/message 0: the role must be a string, not/),
      });
    }
  });
});

describe('the content of a message', () => {
  const of = (message, expression) => textOf([message], `{{ ${expression} }}`);

  test('that is absent is absent', () => {
    for (const message of [
      { role: 'assistant' },
      user,
      { role: 'assistant', toolCalls: [{ name: 'f', arguments: {} }] },
      { role: 'x', content: undefined },
    ]) {
      const isThere = message.content !== undefined;
      expect([
        of(message, 'messages[0].content is defined'),
        of(message, 'messages[0].content | trim'),
        of(message, "'content' in messages[0]"),
      ]).toEqual([isThere ? 'True' : 'False', isThere ? 'Hi' : '', isThere ? 'True' : 'False']);
    }
  });

  test('that is null is None', () => {
    const message = { role: 'assistant', content: null };
    expect([of(message, 'messages[0].content is none'), of(message, 'messages[0] | tojson')]).toEqual([
      'True',
      '{"role": "assistant", "content": null}',
    ]);
  });

  test('of a message that only calls tools is None for templates that only test for None, such as DeepSeek-R1', () => {
    const template =
      "{% for m in messages %}{% if m['content'] is none %}calls {{ m.tool_calls | length }}{% else %}{{ m.content }}{% endif %}{% endfor %}";
    const calls = [{ name: 'f', arguments: {} }];
    expect(textOf([{ role: 'assistant', toolCalls: calls }], template)).toBe('calls 1');
    expect(textOf([{ role: 'assistant', tool_calls: calls }], template)).toBe('calls 1');
    expect(textOf([{ role: 'assistant' }], template)).toBe('');
    expect(
      textOf([{ role: 'assistant', toolCalls: calls }], `${template}{{ messages[0].content is not defined }}`),
    ).toBe('True');
  });

  test('may be anything that the template supports', () => {
    expect(of({ role: 'user', content: [{ type: 'text', text: 'a' }] }, 'messages[0].content[0].text')).toBe('a');
    expect(of({ role: 'documents', content: { doc_id: 1 } }, 'messages[0].content.doc_id')).toBe('1');
    expect(of({ role: 'user', content: 5, name: null }, '[messages[0].content, messages[0].name]')).toBe('[5, None]');
  });
});

describe('tools', () => {
  const shown = '{{ tools | tojson }}';
  const written = (tool) => JSON.parse(textOf([], shown, { tools: [tool] }))[0];

  test.each([
    { name: 'search', description: 'Searches', parameter_definitions: { q: { type: 'str', required: true } } },
    { type: 'code_interpreter' },
    { type: 'function', name: 'f', parameters: {} },
    { name: 'f', input_schema: { type: 'object' } },
    { functionDeclarations: [{ name: 'f' }] },
    { type: 'function', function: { name: 'f' }, cache: true },
    {},
  ])("in a template's own form are passed on unchanged: %j", (tool) => {
    expect(written(tool)).toEqual(tool);
  });

  test("definitions become tools of OpenAI's API", () => {
    expect(written({ name: 'f', strict: true })).toEqual({
      type: 'function',
      function: { name: 'f', parameters: { type: 'object', properties: {} }, strict: true },
    });
  });

  test('are objects, for built-in templates with a name', async () => {
    expect((await failureOf(async () => textOf([user], shown, { tools: ['f'] }))).message).toMatch(
      /tools\[0\] must be an object, not string/,
    );
    expect((await failureOf(async () => textOf([user], 'chatml', { tools: [{ type: 'x' }] }))).message).toMatch(
      /tools\[0\] must be an object with a name/,
    );
  });
});

test('the template of a model with its own roles: granite and its documents', () => {
  const template = templateOf('ibm-granite-granite-3.3-2B-Instruct');
  const text = textOf(
    [user, { role: 'assistant_tool_call', content: '[]' }, { role: 'tool_response', content: '4' }],
    template,
    { variables: { date_string: '' } },
  );
  expect(text).toContain('<|start_of_role|>assistant_tool_call<|end_of_role|>[]<|end_of_text|>');
  expect(text).toContain('<|start_of_role|>tool_response<|end_of_role|>4<|end_of_text|>');
});
