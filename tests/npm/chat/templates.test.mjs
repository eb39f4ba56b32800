// Conversations with the templates of models, and with the built-in ones.
import { jest } from '@jest/globals';
import { Tokenizer } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { json, loadPhi3, modelTemplates, render, templateOf } from './chat_fixtures.mjs';

let tokenizer;
beforeAll(async () => {
  tokenizer = await loadPhi3();
});
afterAll(() => tokenizer.close());

const user = { role: 'user', content: 'Hi' };
const textOf = (messages, options) => tokenizer.applyChatTemplate(messages, options).text;

describe('templates of models', () => {
  beforeAll(() => jest.useFakeTimers({ now: new Date(2026, 6, 8) }));
  afterAll(() => jest.useRealTimers());
  // All formats that the cases ask for.
  const dates = { '%d %B %Y': '08 July 2026', '%d %b %Y': '08 Jul 2026', '%B %d, %Y': 'July 08, 2026' };
  const dated = (text) => text.replace(/⟦strftime:(.*?)⟧/g, (_, format) => dates[format] ?? `no date in ${format}`);

  test.each(modelTemplates)('$name', async ({ template, cases }) => {
    expect(cases.length).toBeGreaterThan(5);
    for (const { name, messages, tools, variables, addGenerationPrompt, text, error } of cases) {
      const options = { template, variables, addGenerationPrompt, ...(tools && { tools }) };
      const given = JSON.parse(JSON.stringify(options));
      if (error === undefined) expect([name, textOf(messages, given)]).toEqual([name, dated(text)]);
      else expect((await failureOf(async () => textOf(messages, given))).message).toContain(error);
    }
  });
});

describe('built-in templates', () => {
  const { cases } = json('tokenizers/chat/renderings.json');

  test.each(['llama-2', 'llama-3', 'mistral', 'phi-3', 'chatml'])('%s: as the model it is of writes', (name) => {
    const own = cases.filter(({ template }) => template === name);
    expect(own.length).toBeGreaterThan(5);
    for (const { messages, text } of own) expect(textOf(messages, { template: name })).toBe(text);
  });

  test('gemma and zephyr', () => {
    const messages = [user, { role: 'assistant', content: ' Yo ' }, { role: 'user', content: 'Bye' }];
    // The templates of google/gemma-2-2b-it and HuggingFaceH4/zephyr-7b-beta print this.
    expect(textOf(messages, { template: 'gemma' })).toBe(
      '<bos><start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\nYo<end_of_turn>\n<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n',
    );
    expect(textOf([{ role: 'system', content: 'S' }, ...messages], { template: 'zephyr' })).toBe(
      '<|system|>\nS</s>\n<|user|>\nHi</s>\n<|assistant|>\n Yo </s>\n<|user|>\nBye</s>\n<|assistant|>\n',
    );
  });

  test('a system message goes into the first user message if the model has no such role', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, user];
    expect(textOf(messages, { template: 'mistral' })).toBe('<s>[INST] Be brief.\n\nHi [/INST]');
    expect(textOf(messages, { template: 'gemma' })).toBe(
      '<bos><start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\n',
    );
  });

  test.each(['llama-2', 'mistral', 'gemma'])(
    '%s: roles must alternate, and the user has the last word',
    async (template) => {
      const assistant = { role: 'assistant', content: 'a' };
      for (const messages of [[assistant], [user, user], [user, assistant], [user, assistant, assistant]]) {
        const { code, message } = await failureOf(async () => textOf(messages, { template }));
        expect([code, message]).toEqual(['INPUT', expect.stringMatching(/alternate|must end with/)]);
      }
    },
  );

  test('without the beginning of an answer', () => {
    expect(textOf([user], { template: 'chatml', addGenerationPrompt: false })).toBe('<|im_start|>user\nHi<|im_end|>\n');
  });
});

describe('variables of templates', () => {
  const show = (expression) => `{{ ${expression} }}`;

  test('messages in the form of the OpenAI API', () => {
    const calls = [{ id: 'c1', name: 'add', arguments: { a: 1, b: [2.5, null] } }];
    const messages = [
      { role: 'assistant', toolCalls: calls, reasoning: 'hm' },
      { role: 'tool', content: '3', name: 'add', toolCallId: 'c1' },
    ];
    expect(JSON.parse(textOf(messages, { template: show('messages | tojson'), addGenerationPrompt: false }))).toEqual([
      {
        role: 'assistant',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: { a: 1, b: [2.5, null] } } }],
      },
      { role: 'tool', content: '3', name: 'add', tool_call_id: 'c1' },
    ]);
    expect(textOf(messages, { template: show('messages[0].thinking') })).toBe('hm');
  });

  test('tools as functions, and None without any', () => {
    const tools = [
      { name: 'now' },
      { name: 'add', description: 'Adds', parameters: { type: 'object', properties: { a: { type: 'number' } } } },
    ];
    expect(JSON.parse(textOf([], { template: show('tools | tojson'), tools }))).toEqual([
      { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
      { type: 'function', function: tools[1] },
    ]);
    expect(textOf([], { template: show('tools is none'), tools: [] })).toBe('True');
  });

  test('a developer is a system to templates without the role', () => {
    const messages = [{ role: 'developer', content: 'x' }];
    expect(textOf(messages, { template: show('messages[0].role') })).toBe('system');
    expect(textOf(messages, { template: show("messages[0].role == 'developer'") })).toBe('True');
  });

  test('variables, and the special tokens of the model', () => {
    expect(
      render(tokenizer, '{{ bos_token }}{{ eos_token }}{{ enable_thinking }}{{ x.y }}', {
        enable_thinking: false,
        x: { y: [1, 'a'] },
      }),
    ).toBe("<s><|endoftext|>False[1, 'a']");
    expect(render(tokenizer, '{{ bos_token }}', { bos_token: 'B' })).toBe('B');
  });
});

describe('rejected', () => {
  const refused = async (messages, options) => {
    const { name, code, message } = await failureOf(async () => tokenizer.applyChatTemplate(messages, options));
    expect([name, code]).toEqual(['QuintetError', 'INPUT']);
    return message;
  };
  const chatml = { template: 'chatml' };

  test('no template, and an unknown one', async () => {
    const bare = await Tokenizer.load(fixturePath('tokenizers/llama2/tokenizer.model'));
    const { code, reason, message } = await failureOf(async () => bare.applyChatTemplate([user]));
    expect([code, reason, message]).toEqual([
      'INPUT',
      'missing',
      expect.stringMatching(/no chat template.*applyChatTemplate\.template.*chatml/),
    ]);
    bare.close();
    expect(await refused([user], { template: 'llama-4' })).toMatch(/"llama-4".*llama-2.*zephyr/);
    expect(await refused([user], { template: '' })).toMatch(/template/);
  });

  test('unknown and invalid options', async () => {
    expect(await refused([user], { ...chatml, chatTemplate: 'x' })).toMatch(/no option 'chatTemplate'/);
    expect(await refused([user], { ...chatml, tools: {} })).toMatch(/'tools' must be an array/);
    expect(await refused([user], { ...chatml, tools: [{}] })).toMatch(/tools\[0\].*name/);
    expect(await refused([user], { ...chatml, variables: { messages: [] } })).toMatch(
      /'messages' cannot be a variable/,
    );
    expect(await refused([user], { ...chatml, variables: { f() {} } })).toMatch(/variables\.f.*function/);
  });

  test('invalid messages', async () => {
    expect(await refused('Hi', chatml)).toMatch(/must be an array/);
    expect(await refused([null], chatml)).toMatch(/message 0 must be an object/);
    expect(await refused([user, { role: 'robot', content: 'x' }], chatml)).toMatch(/message 1: the role.*robot/);
    expect(await refused([{ role: 'user' }], chatml)).toMatch(/message 0: the content must be a string/);
    expect(await refused([{ role: 'user', content: 5 }], chatml)).toMatch(/content must be a string, not number/);
    expect(await refused([{ role: 'assistant', toolCalls: [{ name: 'x' }] }], chatml)).toMatch(/toolCalls\[0\]/);
    const endless = { role: 'user', content: 'x' };
    endless.self = endless;
    expect(await refused([endless], chatml)).toMatch(/nests more than/);
  });
});

test('Qwen3 and a variable of it', () => {
  const template = templateOf('Qwen-Qwen3-0.6B');
  expect(textOf([user], { template, variables: { enable_thinking: false } })).toMatch(/<think>\n\n<\/think>\n\n$/);
  expect(textOf([user], { template })).toMatch(/assistant\n$/);
});
