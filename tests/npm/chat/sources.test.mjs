// The sources of chat templates: GGUF, folders and AMB, one or several with names.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { convert, inspect, TextGenerator, Tokenizer } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { threads } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { byteModel } from '../helpers/models/byte_model.mjs';
import { llamaFolder } from '../helpers/models/llama_folder.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';

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
  const list = [
    ['other', three],
    ['default', one],
    ['tool_use', two],
  ].map(([name, template]) => ({ name, template }));
  const config = (template) =>
    new TextEncoder().encode(JSON.stringify({ bos_token: '<|endoftext|>', chat_template: template }));
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
  expect(withoutDefault).toMatchObject({
    code: 'INPUT',
    message: expect.stringMatching(/no default chat template.*other, tool_use/),
  });
});

describe('templates in separate files, as transformers saves them', () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const further = {
    'additional_chat_templates/tool_use.jinja': bytes(two),
    'additional_chat_templates/other.jinja': bytes(three),
  };
  const config = bytes(JSON.stringify({ bos_token: '<|endoftext|>', chat_template: 'not this' }));
  const folder = () => ({
    'tokenizer.json': readFileSync(fixturePath('tokenizers/qwen2/tokenizer.json')),
    'tokenizer_config.json': config,
    'chat_template.jinja': bytes(one),
    ...further,
  });
  const expected = ['1Hi', '21', '3<|endoftext|>'];
  let scratch;
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'quintet-templates-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true }));
  const onDisk = (name, files) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(scratch, name, path)), { recursive: true });
      writeFileSync(join(scratch, name, path), content);
    }
    return join(scratch, name);
  };
  const templatesOf = async (model) => [
    (await model.applyChatTemplate(messages)).text,
    (await model.applyChatTemplate(messages, { tools })).text,
    (await model.applyChatTemplate(messages, { template: 'other', variables: { bos_token: 'B' } })).text,
  ];

  test('a tokenizer: files, and a path', async () => {
    expect(await textsOf(folder())).toEqual(expected);
    const others = { 'additional_chat_templates/notes.txt': 'x', 'additional_chat_templates/deeper/x.jinja': 'x' };
    expect(await textsOf(onDisk('tokenizer', { ...folder(), ...others }))).toEqual(expected);
  });

  test('an invalid template is an error that names the file', async () => {
    const name = 'additional_chat_templates/other.jinja';
    const failure = (content) => failureOf(Tokenizer.load({ ...folder(), [name]: content }));
    expect(await failure(Uint8Array.of(0xff))).toMatchObject({
      code: 'FORMAT',
      reason: 'invalid_utf8',
      message: expect.stringContaining(name),
    });
    expect(await failure(new Uint8Array((1 << 20) + 1))).toMatchObject({
      code: 'FORMAT',
      reason: 'limit',
      message: expect.stringContaining(name),
    });
  });

  test.each(threads)('a model in shards: a path, and by name: %s', async (_, worker) => {
    // Every character of this text is a token.
    const vocabulary = Object.fromEntries([...'Hi123B'].map((character, id) => [character, id]));
    const tokenizer = {
      model: { type: 'BPE', vocab: vocabulary, merges: [] },
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
      decoder: { type: 'ByteLevel' },
    };
    const files = {
      ...(await llamaFolder()),
      'tokenizer.json': bytes(JSON.stringify(tokenizer)),
      'chat_template.jinja': bytes(one),
      ...further,
    };
    const server = await serveHub();
    server.add('zoo/talks', { ...files, 'additional_chat_templates/notes.txt': bytes('x') });
    server.add('zoo/silent', await llamaFolder());
    process.env.HF_HOME = join(scratch, `hub-${worker}`);
    try {
      const hub = { endpoint: server.endpoint };
      for (const [source, options] of [
        [files, {}],
        [onDisk('model', files), {}],
        ['hf:zoo/talks', { hub }],
      ]) {
        const model = await TextGenerator.load(source, { worker, ...options });
        expect(await templatesOf(model)).toEqual(['1Hi', '21', '3B']);
        model.close();
      }
      const asked = () =>
        server.requests.map(({ path }) => path).filter((path) => path.includes('additional_chat_templates'));
      expect(asked().every((path) => /(tool_use|other)\.jinja$/.test(path))).toBe(true);
      expect(asked().length).toBeGreaterThan(0);
      server.forget();
      (await TextGenerator.load('hf:zoo/silent', { worker, hub })).close();
      expect(asked()).toEqual([]);
    } finally {
      delete process.env.HF_HOME;
      await server.close();
    }
  });
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
