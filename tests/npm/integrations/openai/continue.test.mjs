// Requests that Continue sends with the configuration of docs/server.md, by its source at commit d0a3c0b62
// (core/llm/index.ts, core/llm/llms/OpenAI.ts, core/autocomplete/, packages/openai-adapters/src/apis/OpenAI.ts).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Embedder, TextGenerator } from 'quintet';
import { openAI } from 'quintet/openai';
import { embedder as bundled } from '../../../../models/index.js';
import { byteModel, idsOf, saying } from '../../helpers/models/byte_model.mjs';
import { loadReranker, scripted, template } from '../served.mjs';

const guide = readFileSync(new URL('../../../../docs/server.md', import.meta.url), 'utf8');
const [, config] = /```yaml\n(.*?)```/s.exec(guide);
const models = config.split('- name:').slice(1);
const modelFor = (role) => /\bmodel: (\S+)/.exec(models.find((model) => model.includes(role)))[1];
const [, base] = /apiBase: (\S+)/.exec(config);
const apiBase = `${base}/`;

/** The special tokens of a Qwen Coder. */
const names = ['fim_prefix', 'fim_suffix', 'fim_middle', 'repo_name', 'file_sep', 'im_start', 'im_end'];
const special = names.map((name) => `<|${name}|>`);

let handler;
let client;
let chat;
let coder;
let embedder;
let reranker;
const seen = [];
beforeAll(async () => {
  chat = await scripted([
    'It reads.',
    '<tool_call>\n{"name": "read_file", "arguments": {"filepath": "a.js"}}\n</tool_call>',
  ]);
  coder = await TextGenerator.load(byteModel(template, special));
  embedder = await Embedder.load(fileURLToPath(bundled));
  reranker = await loadReranker();
  const completing = Object.setPrototypeOf(
    {
      generateMany([prompt], options) {
        seen.push(prompt);
        return coder.generateMany([prompt], { ...options, ...saying(['a + b;```']), maxTokens: options.maxTokens });
      },
    },
    coder,
  );
  const served = [chat.served, completing, embedder, reranker];
  handler = openAI({
    models: Object.fromEntries(
      ['chat', 'autocomplete', 'embed', 'rerank'].map((role, i) => [modelFor(role), served[i]]),
    ),
  });
  client = new OpenAI({ apiKey: 'none', baseURL: apiBase, fetch: handler });
});
afterAll(() => [chat.generator, coder, embedder, reranker].forEach((model) => model.close()));

const send = (path, body) =>
  handler(new URL(path, apiBase), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'x-api-key': '',
      Authorization: 'Bearer ',
    },
  });

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Use this tool if you need to view the contents of an existing file.',
      parameters: {
        type: 'object',
        required: ['filepath'],
        properties: { filepath: { type: 'string', description: 'The path of the file to read.' } },
      },
    },
  },
];

/** A body as `toChatBody` makes it: undefined members are not sent. */
const chatBody = (messages) => ({
  messages,
  model: modelFor('chat'),
  max_tokens: 4096,
  stream: true,
  stream_options: { include_usage: true },
  tools,
  parallel_tool_calls: false,
});

async function deltasOf(body) {
  const deltas = [];
  let usage;
  for await (const chunk of await client.chat.completions.create(body)) {
    if (chunk.usage) usage = chunk.usage;
    else deltas.push(chunk.choices[0].delta);
  }
  return { deltas, usage };
}

test('chat: an answer with the content that its tool has read, and a tool call', async () => {
  const asked = [
    { role: 'system', content: '<important_rules>\nYou are in chat mode.\n</important_rules>' },
    { role: 'user', content: 'What does a.js do?' },
  ];
  const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"filepath":"a.js"}' } };
  const history = [
    ...asked,
    { role: 'assistant', content: ' ', tool_calls: [call] },
    { role: 'tool', content: 'read()', tool_call_id: 'call_1' },
  ];
  const answer = await deltasOf(chatBody(history));
  expect(answer.deltas.map(({ content = '' }) => content).join('')).toBe('It reads.');
  expect(answer.usage.completion_tokens).toBeGreaterThan(8);
  const { deltas } = await deltasOf(chatBody(asked));
  const calls = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(calls[0].function.name).toBe('read_file');
  expect(JSON.parse(calls.map(({ function: { arguments: text = '' } }) => text).join(''))).toEqual({
    filepath: 'a.js',
  });
});

test("code completion: its template becomes the model's tokens, and its stop texts end the answer", async () => {
  const prompt =
    '<|repo_name|>repo\n<|file_sep|>b.js\nfoo();\n<|file_sep|>a.js\n<|fim_prefix|>const sum = <|fim_suffix|>\n<|fim_middle|>';
  const ends = ['<|endoftext|>', '<|fim_prefix|>', '<|fim_middle|>', '<|fim_suffix|>', '<|fim_pad|>', '<|repo_name|>'];
  const stop = [...ends, '<|file_sep|>', '<|im_start|>', '<|im_end|>', '/src/', '#- coding: utf-8', '```'];
  const body = { model: modelFor('autocomplete'), max_tokens: 4096, temperature: 0.01, stream: true, stop, prompt };
  const events = await (await send('completions', body)).text();
  const chunks = [...events.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json));
  expect(chunks.map(({ choices }) => choices[0].text).join('')).toBe('a + b;');
  const isSpecial = (id) => id >= Math.min(...special.map((each) => [...idsOf(each, special)][0]));
  expect(seen[0].filter(isSpecial)).toEqual([...idsOf(prompt, special)].filter(isSpecial));
});

test('search: vectors of chunks, and their ranks in the order of the chunks', async () => {
  const chunks = ['function read() {}', 'a cat', 'const write = 1;'];
  const { data } = await client.embeddings.create({ model: modelFor('embed'), input: chunks });
  expect(data.map(({ embedding }) => Float32Array.from(embedding))).toEqual(await embedder.embed(chunks));
  const documents = ['c d', 'e f', 'g'];
  const results = await (await send('rerank', { model: modelFor('rerank'), query: 'a b', documents })).json();
  const scores = results.data.sort((a, b) => a.index - b.index).map((result) => result.relevance_score);
  const ranked = await reranker.rank('a b', documents);
  expect(scores).toEqual(documents.map((_, i) => ranked.find(({ index }) => index === i).score));
});

test('the models of the configuration are listed', async () => {
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['chat', 'qwen-coder', 'bge', 'reranker']);
});
