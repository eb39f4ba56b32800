// Chat completions, as OpenAI's own client asks for them and reads them.
import { afterAll, describe, expect, test } from '@jest/globals';
import { clientOf, loadStory, post, scripted } from '../served.mjs';

const messages = [{ role: 'user', content: 'What is 1 + 2?' }];
const add = {
  type: 'function',
  function: {
    name: 'add',
    description: 'Adds numbers',
    parameters: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    },
  },
};
const call = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}\n</tool_call>';

const closing = [];
afterAll(() => closing.forEach((generator) => generator.close()));

async function serving(...answers) {
  const { generator, prompts, served } = await scripted(answers);
  closing.push(generator);
  return { ...clientOf({ tiny: served }), prompts, generator };
}

async function chunksOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

test('an answer is a message with its usage', async () => {
  const { client } = await serving('It is 3.', 'It is 3.');
  const answer = await client.chat.completions.create({ model: 'tiny', messages });
  expect(answer).toMatchObject({
    object: 'chat.completion',
    model: 'tiny',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'It is 3.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    // A token a byte, and the end of the answer.
    usage: { completion_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } },
  });
  const { prompt_tokens: prompt, total_tokens: total } = answer.usage;
  expect(total).toBe(prompt + 9);
  expect(answer._request_id).toMatch(/^req_/);
  const again = await client.chat.completions.create({ model: 'tiny', messages });
  expect(again.usage.prompt_tokens_details.cached_tokens).toBe(prompt - 1);
});

test('a stream begins with the role, and ends with the reason, and with the usage on request', async () => {
  const { client } = await serving('It is 3.');
  const stream = await client.chat.completions.create({
    model: 'tiny',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await chunksOf(stream);
  expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
  expect(chunks[0].choices).toEqual([
    { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
  ]);
  expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('It is 3.');
  expect(chunks.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 9 } });
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
});

test('the stream on the wire ends with [DONE]', async () => {
  const { handler } = await serving('a');
  const body = JSON.stringify({ model: 'tiny', messages, stream: true });
  const response = await handler('https://localhost/v1/chat/completions', { method: 'POST', body });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = (await response.text()).split('\n\n');
  expect(events.slice(-2)).toEqual(['data: [DONE]', '']);
});

describe('tools', () => {
  test('a call has an id and its arguments as JSON, and its result returns to the model', async () => {
    const { client, prompts } = await serving(`I add. ${call}`, 'It is 3.');
    const asked = await client.chat.completions.create({ model: 'tiny', messages, tools: [add] });
    const [{ message, finish_reason: reason }] = asked.choices;
    expect(reason).toBe('tool_calls');
    expect(message.content).toBe('I add. ');
    expect(message.tool_calls).toEqual([
      {
        id: expect.stringMatching(/^call_\w+$/),
        type: 'function',
        function: { name: 'add', arguments: '{"a": 1, "b": 2}' },
      },
    ]);
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '3' };
    const answered = await client.chat.completions.create({
      model: 'tiny',
      messages: [...messages, message, result],
      tools: [add],
    });
    expect(answered.choices[0].message.content).toBe('It is 3.');
    expect(prompts[1].prompt).toEqual([
      ...messages,
      {
        role: 'assistant',
        content: 'I add. ',
        toolCalls: [{ id: result.tool_call_id, name: 'add', arguments: { a: 1, b: 2 } }],
      },
      { role: 'tool', content: '3', toolCallId: result.tool_call_id },
    ]);
  });

  test('calls stream: first the name, then pieces of the arguments', async () => {
    const { client } = await serving(call + call);
    const chunks = await chunksOf(
      await client.chat.completions.create({ model: 'tiny', messages, tools: [add], stream: true }),
    );
    const pieces = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
    const first = pieces.filter(({ id }) => id !== undefined);
    expect(first.map(({ index, type, function: { name } }) => [index, type, name])).toEqual([
      [0, 'function', 'add'],
      [1, 'function', 'add'],
    ]);
    const texts = [0, 1].map((index) =>
      pieces
        .filter((piece) => piece.index === index)
        .map((piece) => piece.function.arguments)
        .join(''),
    );
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ]);
    expect(pieces.length).toBeGreaterThan(10);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('tool_calls');
  });

  test("the client's own runner calls a function and continues", async () => {
    const { client } = await serving(call, 'It is 3.');
    const calls = [];
    const runnable = {
      ...add,
      function: { ...add.function, parse: JSON.parse, function: ({ a, b }) => (calls.push([a, b]), String(a + b)) },
    };
    const runner = client.chat.completions.runTools({ model: 'tiny', messages, tools: [runnable] });
    expect(await runner.finalContent()).toBe('It is 3.');
    expect(calls).toEqual([[1, 2]]);
  });

  test('with parallel_tool_calls: false there is one call', async () => {
    const { client } = await serving(call + call);
    const asked = { model: 'tiny', messages, tools: [add], parallel_tool_calls: false };
    const answer = await client.chat.completions.create(asked);
    expect(answer.choices[0].message.tool_calls).toHaveLength(1);
  });

  test('tool_choice forces a call that matches the schema', async () => {
    const { generator } = await serving();
    const { client } = clientOf({ random: generator });
    for (const choice of ['required', { type: 'function', function: { name: 'add' } }]) {
      const asked = { model: 'random', messages, tools: [add], tool_choice: choice, seed: 1, max_tokens: 400 };
      const { choices } = await client.chat.completions.create(asked);
      // Random weights write digits without end.
      if (choices[0].finish_reason === 'length') continue;
      const values = JSON.parse(choices[0].message.tool_calls[0].function.arguments);
      expect(Object.keys(values).sort()).toEqual(['a', 'b']);
    }
  });

  test("tool_choice: 'none' hides tools from the model", async () => {
    const { client, prompts } = await serving('x');
    await client.chat.completions.create({ model: 'tiny', messages, tools: [add], tool_choice: 'none' });
    expect(prompts[0].options.toolChoice).toBe('none');
  });
});

test('a schema gives JSON that matches it', async () => {
  const { generator } = await serving();
  const { client } = clientOf({ random: generator });
  const schema = {
    type: 'object',
    properties: { colour: { enum: ['red', 'blue'] } },
    required: ['colour'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
  const { choices } = await client.chat.completions.create({ model: 'random', messages, response_format, seed: 3 });
  expect(['red', 'blue']).toContain(JSON.parse(choices[0].message.content).colour);
});

describe('options', () => {
  test('the text is that of generate with the same options and seed', async () => {
    const story = await loadStory();
    closing.push(story);
    const { client } = clientOf({ story });
    const options = {
      temperature: 0.7,
      topP: 0.9,
      seed: 11,
      maxTokens: 24,
      presencePenalty: 0.5,
      frequencyPenalty: 0.25,
    };
    const text = await story.generate('Once upon a time', options).text();
    const answer = await client.completions.create({
      model: 'story',
      prompt: 'Once upon a time',
      temperature: 0.7,
      top_p: 0.9,
      seed: 11,
      max_tokens: 24,
      presence_penalty: 0.5,
      frequency_penalty: 0.25,
    });
    expect(answer.choices[0].text).toBe(text);
  });

  test('n answers have different seeds and share the prompt', async () => {
    const { client, prompts } = await serving('a', 'b', 'c');
    const answer = await client.chat.completions.create({ model: 'tiny', messages, n: 3, seed: 5 });
    expect(answer.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    expect(prompts.map(({ options }) => options.seed)).toEqual([5, 6, 7]);
    expect(answer.usage.completion_tokens).toBe(6);
  });

  test('stop, limits and biases reach the model', async () => {
    const { client, prompts } = await serving('one END two');
    const asked = { model: 'tiny', messages, stop: ' END', max_completion_tokens: 50, logit_bias: { 5: -100 } };
    const answer = await client.chat.completions.create(asked);
    expect(answer.choices[0]).toMatchObject({ message: { content: 'one' }, finish_reason: 'stop' });
    expect(prompts[0].options).toMatchObject({ maxTokens: 50, logitBias: { 5: -100 }, stop: [' END'] });
  });

  test('an answer that is cut off reports it', async () => {
    const { client } = await serving('one two');
    const answer = await client.chat.completions.create({ model: 'tiny', messages, max_tokens: 3 });
    expect(answer.choices[0]).toMatchObject({ message: { content: 'one' }, finish_reason: 'length' });
  });

  test('log probabilities equal those of the tokens', async () => {
    const { client } = await serving('né', 'né');
    const asked = { model: 'tiny', messages, logprobs: true, top_logprobs: 2 };
    const { choices } = await client.chat.completions.create(asked);
    const { content } = choices[0].logprobs;
    expect(content.map(({ token, bytes }) => [token, bytes])).toEqual([
      ['n', [0x6e]],
      ['é', [0xc3, 0xa9]],
    ]);
    for (const { logprob, top_logprobs: top } of content) {
      expect(logprob).toBeLessThan(0);
      expect(top).toHaveLength(2);
    }
    const chunks = await chunksOf(await client.chat.completions.create({ ...asked, stream: true }));
    const streamed = chunks.flatMap((chunk) => chunk.choices[0].logprobs?.content ?? []);
    expect(streamed).toEqual(content);
  });

  test('reasoning_effort is what templates call enable_thinking', async () => {
    const { client, prompts } = await serving('x', 'x');
    await client.chat.completions.create({ model: 'tiny', messages, reasoning_effort: 'none' });
    await client.chat.completions.create({ model: 'tiny', messages, reasoning_effort: 'high' });
    expect(prompts.map(({ options }) => options.chat.variables)).toEqual([
      { enable_thinking: false, reasoning_effort: 'none' },
      { enable_thinking: true, reasoning_effort: 'high' },
    ]);
  });

  test('contents may be lists of texts', async () => {
    const { client, prompts } = await serving('x');
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    await client.chat.completions.create({ model: 'tiny', messages: [{ role: 'user', content }] });
    expect(prompts[0].prompt).toEqual([{ role: 'user', content: 'ab' }]);
  });
});

test('an abort of the client ends the generation, and the next one follows', async () => {
  const { client } = await serving('a'.repeat(3000), 'next', 'gone', 'after');
  const stream = await client.chat.completions.create({ model: 'tiny', messages, stream: true });
  for await (const { choices } of stream) if (choices[0].delta.content === 'a') break;
  const answer = await client.chat.completions.create({ model: 'tiny', messages });
  expect(answer.choices[0].message.content).toBe('next');
  const leaving = new AbortController();
  const gone = client.chat.completions.create({ model: 'tiny', messages }, { signal: leaving.signal });
  leaving.abort();
  await expect(gone).rejects.toThrow(/abort/i);
  const { choices } = await client.chat.completions.create({ model: 'tiny', messages });
  expect(choices[0].message.content).toMatch(/^(gone|after)$/);
});

describe('mistakes are named', () => {
  const refused = [
    [{ messages: [] }, 400, 'messages', 'invalid_value'],
    [{ messages: [{ role: 'robot', content: '' }] }, 400, 'messages[0].role', 'invalid_value'],
    [{ messages: [{ role: 'user' }] }, 400, 'messages[0].content', 'missing_required_parameter'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      400,
      'messages[0].content[0]',
      'unsupported_parameter',
    ],
    [{ messages: [{ role: 'user', content: '', mood: 1 }] }, 400, 'messages[0].mood', 'unsupported_parameter'],
    [
      {
        messages: [{ role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'f', arguments: '[' } }] }],
      },
      400,
      'messages[0].tool_calls[0].function.arguments',
      'invalid_value',
    ],
    [{ temperature: 3 }, 400, 'temperature', 'invalid_value'],
    [{ top_p: 0 }, 400, 'top_p', 'invalid_value'],
    [{ n: 17 }, 400, 'n', 'invalid_value'],
    [{ stop: [''] }, 400, 'stop', 'invalid_value'],
    [{ top_logprobs: 2 }, 400, 'top_logprobs', 'unsupported_parameter'],
    [{ stream_options: { include_usage: true } }, 400, 'stream_options', 'unsupported_parameter'],
    [{ tool_choice: 'required' }, 400, 'tool_choice', 'unsupported_parameter'],
    [{ tools: [{ type: 'web_search' }] }, 400, 'tools[0].type', 'invalid_value'],
    [{ tools: [add], response_format: { type: 'json_object' } }, 400, 'response_format', 'unsupported_parameter'],
    [{ response_format: { type: 'xml' } }, 400, 'response_format.type', 'invalid_value'],
    [{ store: true }, 400, 'store', 'invalid_value'],
    [{ audio: {} }, 400, 'audio', 'unsupported_parameter'],
    [{ __proto__: null, toString: 1 }, 400, 'toString', 'unsupported_parameter'],
    [{ model: 'other' }, 404, 'model', 'model_not_found'],
    [{ model: null }, 400, 'model', 'missing_required_parameter'],
  ];

  test.each(refused)('%j', async (fields, status, param, code) => {
    const { handler } = await serving();
    const answer = await post(handler, 'chat/completions', { model: 'tiny', messages, ...fields });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', param, code });
    expect(answer.body.error.message).toContain(param === 'model' ? 'model' : param);
  });

  test('as an error of the client, before a stream and in it', async () => {
    const { client, generator } = await serving();
    const wrong = client.chat.completions.create({ model: 'tiny', messages, temperature: 9 });
    await expect(wrong).rejects.toMatchObject({ status: 400, param: 'temperature' });
    const before = clientOf({ random: generator }).client.chat.completions.create({
      model: 'random',
      messages,
      stream: true,
      grammar: 'root ::= (',
    });
    await expect(before).rejects.toMatchObject({ status: 400 });
  });

  test('bodies that are not JSON, other methods and other paths', async () => {
    const { handler } = await serving();
    expect(await post(handler, 'chat/completions', '{')).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_json' } },
    });
    expect(await post(handler, 'chat/completions', '[]')).toMatchObject({ status: 400 });
    const got = await handler('https://localhost/v1/chat/completions');
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await post(handler, 'images/generations', {})).toMatchObject({ status: 404 });
  });
});
