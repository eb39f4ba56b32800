// Where chat templates come from: GGUF, folders and AMB, one or several with names.
import { readFileSync } from 'node:fs';
import { convert, inspect, TextGenerator, Tokenizer } from 'quintet';
import { failureOf } from '../fixtures.mjs';
import { threads } from '../generator_fixtures.mjs';
import { fixturePath } from '../model_fixtures.mjs';
import { byteModel } from './byte_model.mjs';

const messages = [{ role: 'user', content: 'Hi' }];
const tools = [{ name: 'now' }];
const [one, two, three] = ['1{{ messages[0].content }}', '2{{ tools | length }}', '3{{ bos_token }}'];

async function textsOf(source) {
  const tokenizer = await Tokenizer.load(source);
  const text = (options) => tokenizer.applyChatTemplate(messages, options).text;
  const texts = [text(), text({ tools }), text({ template: 'other' })];
  tokenizer.close();
  return texts;
}

const named = { 'tokenizer.chat_template.tool_use': two, 'tokenizer.chat_template.other': three };

test('GGUF: the default one, the one for tools, and one by its name', async () => {
  expect(await textsOf(byteModel(one, [], named))).toEqual(['1Hi', '21', '3<s>']);
});

test('a folder: a list with names in tokenizer_config.json', async () => {
  const tokenizer = readFileSync(fixturePath('tokenizers/qwen2/tokenizer.json'));
  const list = [['other', three], ['default', one], ['tool_use', two]].map(([name, template]) => ({ name, template }));
  const config = (template) => new TextEncoder().encode(JSON.stringify({ bos_token: '<|endoftext|>', chat_template: template }));
  const folder = (template) => ({ 'tokenizer.json': tokenizer, 'tokenizer_config.json': config(template) });
  expect(await textsOf(folder(list))).toEqual(['1Hi', '21', '3<|endoftext|>']);

  const text = async (files) => {
    const loaded = await Tokenizer.load(files);
    const { text } = loaded.applyChatTemplate(messages);
    loaded.close();
    return text;
  };
  expect(await text(folder(one))).toBe('1Hi');
  expect(await text({ ...folder(one), 'chat_template.jinja': new TextEncoder().encode(three) })).toBe('3<|endoftext|>');
  const withoutDefault = await failureOf(text(folder(list.filter(({ name }) => name !== 'default'))));
  expect(withoutDefault).toMatchObject({ code: 'INPUT', message: expect.stringMatching(/no default chat template.*other, tool_use/) });
});

test('AMB that was converted from GGUF has all of them', async () => {
  const converted = async (file) => new Uint8Array(await new Response(convert(file, { to: 'amb' })).arrayBuffer());
  const amb = await converted(byteModel(one, [], named));
  expect(await textsOf(amb)).toEqual(['1Hi', '21', '3<s>']);
  expect((await inspect(amb)).metadata.chat_template).toHaveLength(3);
  expect((await inspect(await converted(byteModel(one)))).metadata.chat_template).toBe(one);
});

test.each(threads)('TextGenerator has the same: %s', async (_, worker) => {
  const model = await TextGenerator.load(byteModel(one, [], named), { worker });
  expect((await model.applyChatTemplate(messages)).text).toBe('1Hi');
  const { text, ids } = await model.applyChatTemplate(messages, { template: 'other' });
  expect([text, ...ids]).toEqual(['3<s>', ...(await model.tokenize('3<s>', { addBos: false, parseSpecial: true }))]);
  expect((await failureOf(model.applyChatTemplate(messages, { template: 'none' }))).code).toBe('INPUT');
  model.close();
  expect((await failureOf(model.applyChatTemplate(messages))).code).toBe('CLOSED');
});
