// Completions, embeddings, ranks, responses and the rest of the protocol.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Embedder, TextGenerator } from 'quintet';
import { openAI } from 'quintet/openai';
import { embedder as bundled } from '../../../../models/index.js';
import { failureOf } from '../../helpers/expectations.mjs';
import { byteModel } from '../../helpers/models/byte_model.mjs';
import { clientOf, loadReranker, loadStory, post, scripted, template } from '../served.mjs';

let story;
let embedder;
let client;
let handler;
let loads = 0;
const closing = [];
beforeAll(async () => {
  story = await loadStory();
  embedder = await Embedder.load(fileURLToPath(bundled));
  closing.push(story, embedder);
  let loading;
  const load = async () => {
    loads += 1;
    const reranker = await loadReranker();
    closing.push(reranker);
    return reranker;
  };
  const ranks = () => (loading ??= load());
  ({ client, handler } = clientOf({ story, 'owner/embedder': embedder, ranks }));
});
afterAll(() => closing.forEach((model) => model.close()));

describe('completions', () => {
  const greedy = { model: 'story', prompt: 'Once upon a time', temperature: 0 };

  test('have 16 tokens by default, and may repeat the prompt', async () => {
    const text = await story.generate(greedy.prompt, { temperature: 0, maxTokens: 16 }).text();
    const { choices, usage } = await client.completions.create({ ...greedy, echo: true });
    expect(choices[0]).toMatchObject({ text: greedy.prompt + text, finish_reason: 'length', logprobs: null });
    expect(usage).toMatchObject({ completion_tokens: 16, prompt_tokens: (await story.tokenize(greedy.prompt)).length });
  });

  test('prompts may be token ids, and several', async () => {
    const ids = [...(await story.tokenize(greedy.prompt))];
    const { choices } = await client.completions.create({ ...greedy, prompt: [ids, ids], max_tokens: 8, n: 2 });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    const text = await story.generate(greedy.prompt, { temperature: 0, maxTokens: 8 }).text();
    expect(new Set(choices.map((choice) => choice.text))).toEqual(new Set([text]));
  });

  test('log probabilities show where tokens begin', async () => {
    const { choices } = await client.completions.create({ ...greedy, max_tokens: 12, logprobs: 3 });
    const { tokens, token_logprobs: logprobs, top_logprobs: top, text_offset: offsets } = choices[0].logprobs;
    tokens.forEach((token, i) => expect(choices[0].text.slice(offsets[i], offsets[i] + token.length)).toBe(token));
    // The greedy choice is the most probable token.
    logprobs.forEach((logprob, i) => expect(Math.max(...Object.values(top[i]))).toBe(logprob));
    const streamed = [];
    for await (const chunk of await client.completions.create({ ...greedy, max_tokens: 12, logprobs: 3, stream: true }))
      streamed.push(...(chunk.choices[0].logprobs?.text_offset ?? []));
    expect(streamed).toEqual(offsets);
  });

  test('with a suffix, the answer fills in the middle', async () => {
    const model = await TextGenerator.load(byteModel(template, ['<fim_prefix>', '<fim_suffix>', '<fim_middle>']));
    closing.push(model);
    const seen = [];
    const recording = {
      generateMany([prompt], options) {
        seen.push(prompt);
        return model.generateMany([prompt], options);
      },
    };
    Object.setPrototypeOf(recording, model);
    const asked = { model: 'code', prompt: 'ab', suffix: 'cd', max_tokens: 1, echo: true };
    const { choices } = await clientOf({ code: recording }).client.completions.create(asked);
    expect(seen).toEqual([{ prefix: 'ab', suffix: 'cd' }]);
    expect(choices[0].text).toMatch(/^ab/);
  });

  test('a model without tokens for it rejects a suffix', async () => {
    await expect(client.completions.create({ ...greedy, suffix: '.' })).rejects.toMatchObject({
      status: 400,
      param: 'suffix',
    });
  });
});

describe('embeddings', () => {
  const texts = ['A cat sleeps on the sofa.', 'Interest rates rose.'];

  test("are those of the embedder, bit for bit, in the client's form and as numbers", async () => {
    const vectors = await embedder.embed(texts);
    const asked = { model: 'owner/embedder', input: texts };
    // The client asks for base64 unless told otherwise.
    const { data, usage } = await client.embeddings.create(asked);
    expect(data.map(({ index, object }) => [index, object])).toEqual([
      [0, 'embedding'],
      [1, 'embedding'],
    ]);
    expect(data.map(({ embedding }) => Float32Array.from(embedding))).toEqual(vectors);
    const floats = await client.embeddings.create({ ...asked, encoding_format: 'float' });
    expect(floats.data.map(({ embedding }) => Float32Array.from(embedding))).toEqual(vectors);
    const tokens = await Promise.all(texts.map((text) => embedder.countTokens(text)));
    expect(usage).toEqual({ prompt_tokens: tokens[0] + tokens[1], total_tokens: tokens[0] + tokens[1] });
  });

  test('of token ids, and of fewer dimensions', async () => {
    const [ids] = await Promise.all(texts.map((text) => embedder.tokenize(text)));
    const asked = { model: 'owner/embedder', input: [[...ids], [...ids]], dimensions: 64 };
    const { data } = await client.embeddings.create(asked);
    const expected = await embedder.embed(texts[0], { dimensions: 64 });
    for (const { embedding } of data) expect(Float32Array.from(embedding)).toEqual(expected);
  });

  test.each([
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [1.5] }, 'input'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ encoding_format: 'hex' }, 'encoding_format'],
    [{ input_type: 'image' }, 'input_type'],
    [{ input: [5], input_type: 'query' }, 'input'],
    [{ model: 'story' }, 'model'],
  ])('%j is rejected', async (fields, param) => {
    const asked = { model: 'owner/embedder', input: 'a', ...fields };
    expect(await post(handler, 'embeddings', asked)).toMatchObject({ status: 400, body: { error: { param } } });
  });

  test('a text that is too long is an error, or cut on request', async () => {
    const input = 'word '.repeat(5000);
    const asked = { model: 'owner/embedder', input };
    await expect(client.embeddings.create(asked)).rejects.toMatchObject({ status: 400 });
    const { data } = await client.embeddings.create({ ...asked, truncate: true });
    expect(Float32Array.from(data[0].embedding)).toEqual(await embedder.embed(input));
  });
});

test('rerank scores documents, best first; the first request loads the model', async () => {
  expect(loads).toBe(0);
  const asked = { model: 'ranks', query: 'a b', documents: ['c d', { text: 'e f' }, 'g'], return_documents: true };
  const [{ body }, { body: two }] = await Promise.all([
    post(handler, 'rerank', asked),
    post(handler, 'rerank', { ...asked, top_n: 2 }),
  ]);
  expect(loads).toBe(1);
  const reranker = closing.at(-1);
  const ranked = await reranker.rank('a b', ['c d', 'e f', 'g']);
  expect(body.results).toEqual(
    ranked.map(({ index, score, text }) => ({ index, relevance_score: score, document: { text } })),
  );
  expect(two.results).toEqual(body.results.slice(0, 2));
});

describe('responses', () => {
  const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>';
  const tools = [{ type: 'function', name: 'add', parameters: { type: 'object' }, strict: false }];

  async function serving(...answers) {
    const { generator, prompts, served } = await scripted(answers);
    closing.push(generator);
    return { ...clientOf({ tiny: served }), prompts };
  }

  test('the output has a message and calls, which are returned with their results', async () => {
    const { client: asking, prompts } = await serving(`I add. ${call}`, 'Done.');
    const first = await asking.responses.create({ model: 'tiny', input: 'add 1', instructions: 'Be brief.', tools });
    expect(first).toMatchObject({ object: 'response', status: 'completed', output_text: 'I add. ' });
    const [message, called] = first.output;
    expect(message).toMatchObject({ type: 'message', role: 'assistant', status: 'completed' });
    expect(called).toMatchObject({ type: 'function_call', name: 'add', arguments: '{"a": 1}' });
    expect(prompts[0].prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'add 1' },
    ]);
    const result = { type: 'function_call_output', call_id: called.call_id, output: '1' };
    const input = [{ role: 'user', content: 'add 1' }, ...first.output, result];
    const second = await asking.responses.create({ model: 'tiny', input, tools, store: false });
    expect(second.output_text).toBe('Done.');
    expect(prompts[1].prompt).toEqual([
      { role: 'user', content: 'add 1' },
      { role: 'assistant', content: 'I add. ', toolCalls: [{ id: called.call_id, name: 'add', arguments: { a: 1 } }] },
      { role: 'tool', toolCallId: called.call_id, content: '1' },
    ]);
  });

  test("the client's stream combines the events into the same response", async () => {
    const { client: asking } = await serving(`Now ${call}`);
    const stream = asking.responses.stream({ model: 'tiny', input: 'add 1', tools });
    const types = [];
    const numbers = [];
    for await (const event of stream) {
      types.push(event.type);
      numbers.push(event.sequence_number);
    }
    expect(numbers).toEqual(numbers.map((_, i) => i));
    const names = types.filter((type, i) => type !== types[i - 1]);
    expect(names).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const { output, status } = await stream.finalResponse();
    expect(status).toBe('completed');
    expect(output.map(({ type }) => type)).toEqual(['message', 'function_call']);
    expect(output[1]).toMatchObject({ name: 'add', arguments: '{"a": 1}' });
  });

  test('thoughts and text of one answer are one message', async () => {
    const { client: asking, prompts } = await serving('x');
    const input = [
      { role: 'user', content: 'a' },
      { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b', annotations: [] }] },
      { role: 'user', content: [{ type: 'input_text', text: 'c' }] },
    ];
    const { output_text: text } = await asking.responses.create({ model: 'tiny', input });
    expect(text).toBe('x');
    expect(prompts[0].prompt).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', reasoning: 'hm', content: 'b' },
      { role: 'user', content: 'c' },
    ]);
  });

  test('a response that is cut is incomplete', async () => {
    const { client: asking } = await serving('one two');
    const cut = await asking.responses.create({ model: 'tiny', input: 'x', max_output_tokens: 3 });
    expect(cut).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output_text: 'one',
    });
  });

  test.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ background: true }, 'background'],
    [{ include: ['reasoning.encrypted_content'] }, 'include'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    [{ input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, 'input[0].call_id'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ text: { format: { type: 'xml' } } }, 'text.format.type'],
    [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
  ])('%j is rejected', async (fields, param) => {
    const { handler: asked } = await serving();
    expect(await post(asked, 'responses', { model: 'tiny', input: 'x', ...fields })).toMatchObject({
      status: 400,
      body: { error: { param } },
    });
  });
});

describe('other endpoints', () => {
  test('models, by name', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(['story', 'owner/embedder', 'ranks']);
    expect(await client.models.retrieve('owner/embedder')).toMatchObject({ id: 'owner/embedder', object: 'model' });
    await expect(client.models.retrieve('none')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });

  test('tokens and templates, as llama.cpp has them', async () => {
    const ids = [...(await story.tokenize('Once upon', { addBos: false }))];
    expect(await post(handler, 'tokenize', { content: 'Once upon' })).toEqual({ status: 200, body: { tokens: ids } });
    const { body } = await post(handler, 'tokenize', { content: 'Once upon', with_pieces: true, add_special: true });
    expect(body.tokens.map(({ id }) => id)).toEqual([...(await story.tokenize('Once upon'))]);
    expect(await post(handler, 'detokenize', { tokens: ids })).toMatchObject({ body: { content: 'Once upon' } });
    const { generator } = await scripted([]);
    closing.push(generator);
    const tiny = openAI({ models: { tiny: generator } });
    expect(await post(tiny, 'apply-template', { messages: [{ role: 'user', content: 'hi' }] })).toMatchObject({
      body: { prompt: '<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n' },
    });
  });

  test('health, and counts for Prometheus', async () => {
    const { generator, served } = await scripted(['abc']);
    closing.push(generator);
    const { client: asking, handler: counted } = clientOf({ tiny: served });
    const { usage } = await asking.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: 'x' }],
    });
    const health = await counted('https://localhost/health');
    expect(await health.json()).toEqual({ status: 'ok' });
    const lines = (await (await counted('https://localhost/metrics')).text()).split('\n');
    expect(lines).toContain(`quintet_prompt_tokens_total ${usage.prompt_tokens}`);
    expect(lines).toContain('quintet_completion_tokens_total 4');
    expect(lines).toContain('quintet_requests_total{route="chat/completions",status="200"} 1');
    for (const line of lines) expect(line).toMatch(/^(# TYPE quintet_\w+ (counter|gauge)|quintet_\w+(\{.*\})? \d+|)$/);
  });

  test('a handler without models is an error', async () => {
    expect(await failureOf(() => openAI({ models: {} }))).toMatchObject({ code: 'INPUT' });
    expect(await failureOf(() => openAI({}))).toMatchObject({ code: 'INPUT' });
  });

  test.each([0, 65, 1.5, '8', null])('a handler that computes %p answers together is an error', async (concurrency) => {
    const failure = await failureOf(() => openAI({ models: { any: {} }, concurrency }));
    expect(failure).toMatchObject({ code: 'INPUT', message: expect.stringContaining('openAI: concurrency must be') });
  });
});
