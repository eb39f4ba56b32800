// model.startChat: turns equal those of generate with the whole conversation, tools are called and answered, and
// failures leave no trace.
import { TextGenerator } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { failureOf } from '../helpers/expectations.mjs';
import { story, threads, tokensOf } from '../helpers/generator_fixtures.mjs';
import { byteModel, joined, saying } from '../helpers/models/byte_model.mjs';

const hermes =
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls or [] %}{{ c.id }}{% endfor %}{% endfor %}<a>{# <think> </think> <tool_call> #}';
const user = (content) => ({ role: 'user', content });
const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

const answering = (...answers) => saying(answers);

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(byteModel(hermes), { worker });
  });
  afterAll(() => generator.close());

  test('turns are those of generate with all messages, and compute only what is new', async () => {
    const model = await TextGenerator.load(story, { worker });
    const options = { template: 'chatml', temperature: 0, maxTokens: 12 };
    const chat = model.startChat({ ...options, system: 'Tell a story.' });
    const messages = [{ role: 'system', content: 'Tell a story.' }];
    const { template, ...sampling } = options;
    let total = 0;
    for (const content of ['Once', 'And then?', 'Why?']) {
      messages.push(user(content));
      const expected = model.generate(messages, { ...sampling, chat: { template } });
      const [text, { promptTokens, tokens }] = [await expected.text(), await expected.finished];
      const answer = chat.send(content);
      expect(await answer.text()).toBe(text);
      const summary = await answer.finished;
      expect(summary).toMatchObject({ promptTokens, tokens, reason: 'length' });
      expect(summary.prefillTokens).toBeLessThanOrEqual(promptTokens - total + 1);
      total = promptTokens + tokens;
      messages.push({ role: 'assistant', content: text });
      expect(chat.messages).toEqual(messages);
    }
    const answer = chat.messages.at(-1).content;
    expect(await chat.regenerate().text()).toBe(answer);
    const branch = chat.branch(3);
    expect(branch.messages).toEqual(messages.slice(0, 3));
    const other = await branch.send('Who?').text();
    expect(other).toBe(
      await model.generate([...messages.slice(0, 3), user('Who?')], { ...sampling, chat: { template } }).text(),
    );
    expect(chat.messages).toEqual(messages);
    branch.close();

    const opened = await model.openChat(new Blob([await chat.save()]).stream(), options);
    expect(opened.messages).toEqual(messages);
    const next = opened.send('The end?');
    const same = chat.send('The end?');
    expect(await next.text()).toBe(await same.text());
    expect((await next.finished).prefillTokens).toBeLessThanOrEqual((await same.finished).prefillTokens + 1);
    opened.close();
    chat.close();
    expect(await failureOf(chat.send('a').text())).toMatchObject({ code: 'CLOSED' });
    expect(await failureOf(chat.save())).toMatchObject({ code: 'CLOSED' });
    model.close();
  });

  test('tools are run, in as many rounds as the answer needs', async () => {
    const calls = [];
    const tools = [
      { name: 'add', run: ({ a, b }, { call }) => (calls.push(call), a + b) },
      {
        name: 'fail',
        run: async () => {
          throw new Error('no network');
        },
      },
    ];
    const chat = generator.startChat({
      tools,
      ...answering(
        `<think>Hm.</think>I add. ${call('add', { a: 1, b: 2 })}${call('fail', {})}`,
        `<think>More.</think>${call('divide', { by: 0 })}`,
        'It is 3.',
      ),
    });
    const answer = chat.send('1 + 2?');
    const parts = [];
    for await (const part of answer.parts()) parts.push(part);
    const summary = await answer.finished;
    const toolCalls = [
      { id: '000000001', name: 'add', arguments: { a: 1, b: 2 } },
      { id: '000000002', name: 'fail', arguments: {} },
      { id: '000000003', name: 'divide', arguments: { by: 0 } },
    ];
    expect(calls).toEqual([toolCalls[0]]);
    expect(summary).toMatchObject({ reason: 'eos', reasoning: 'Hm.More.', toolCalls });
    expect(joined(parts)).toEqual({ text: await answer.text(), reasoning: 'Hm.More.', toolCalls });
    expect(await answer.text()).toBe('I add. It is 3.');
    const answered = (index, content) => ({
      role: 'tool',
      name: toolCalls[index].name,
      toolCallId: toolCalls[index].id,
      content,
    });
    expect(chat.messages).toEqual([
      user('1 + 2?'),
      { role: 'assistant', content: 'I add. ', reasoning: 'Hm.', toolCalls: toolCalls.slice(0, 2) },
      answered(0, '3'),
      answered(1, 'error: no network'),
      { role: 'assistant', content: '', reasoning: 'More.', toolCalls: toolCalls.slice(2) },
      answered(2, "error: there is no tool 'divide'"),
      { role: 'assistant', content: 'It is 3.' },
    ]);
    const lengths = [[user('1 + 2?')], chat.messages.slice(0, 4), chat.messages.slice(0, 6)];
    const prompts = await Promise.all(
      lengths.map(async (messages) => (await generator.applyChatTemplate(messages)).ids.length),
    );
    expect(summary.promptTokens).toBe(prompts[0] + prompts[1] + prompts[2]);
    chat.close();
  });

  test('calls beyond maxRounds, and of tools without run, are left to the caller', async () => {
    const add = { name: 'add', run: ({ a }) => `${a}!` };
    const twice = generator.startChat({
      tools: [add],
      maxRounds: 1,
      ...answering(call('add', { a: 1 }), call('add', { a: 2 }), 'Done'),
    });
    expect((await twice.send('Go').finished).toolCalls).toHaveLength(2);
    expect(twice.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const [{ id }] = twice.messages.at(-1).toolCalls;
    expect(await twice.send({ role: 'tool', name: 'add', toolCallId: id, content: '2!' }).text()).toBe('Done');

    const ask = { name: 'ask' };
    const mixed = generator.startChat({ tools: [add, ask], ...answering(call('ask', {}) + call('add', { a: 5 })) });
    const { toolCalls } = await mixed.send('Go').finished;
    expect(toolCalls.map(({ name }) => name)).toEqual(['ask', 'add']);
    expect(mixed.messages.slice(2)).toEqual([
      { role: 'tool', name: 'add', toolCallId: toolCalls[1].id, content: '5!' },
    ]);
    // Forced calls are forced once.
    const forced = generator.startChat({
      tools: [add],
      toolChoice: 'required',
      maxTokens: 200,
      temperature: 0,
      seed: 1,
    });
    const first = await forced.send('Go', { maxTokens: 60 }).finished;
    expect(first.tokens).toBeLessThanOrEqual(120);
  });

  test('failed and aborted turns leave the chat unchanged', async () => {
    let running;
    const started = new Promise((resolve) => (running = resolve));
    const slow = { name: 'slow', run: (_, { signal }) => (running(signal), new Promise(() => {})) };
    const chat = generator.startChat({
      tools: [slow],
      messages: [user('a'), { role: 'assistant', content: 'b' }],
      temperature: 0,
    });
    const before = chat.messages;
    const fails = () => {
      throw new Error('mine');
    };
    await expect(chat.send('c', { logitsProcessor: fails }).text()).rejects.toThrow('mine');
    await expect(chat.regenerate({ logitsProcessor: fails }).text()).rejects.toThrow('mine');
    expect(await failureOf(chat.send('c', { top_k: 1 }).text())).toMatchObject({ code: 'INPUT' });
    expect(await failureOf(chat.send({ role: 'user', content: fails }).text())).toMatchObject({ code: 'INPUT' });
    // In the second round there is no token to choose.
    await expect(chat.send('c', answering(call('none', {}))).text()).rejects.toThrow('no token to choose');
    const controller = new AbortController();
    const waiting = chat.send('c', { ...answering(call('slow', {})), signal: controller.signal }).finished;
    const signal = await started;
    expect(signal.aborted).toBe(false);
    controller.abort();
    expect(await waiting).toMatchObject({ reason: 'abort' });
    expect(signal.aborted).toBe(true);
    expect(await chat.send('c', { signal: AbortSignal.abort() }).text()).toBe('');
    expect(chat.messages).toBe(before);
    expect(await chat.send('c', answering('d')).text()).toBe('d');
    expect(chat.messages).toHaveLength(4);
    chat.close();
  });

  test('an answer that is stopped keeps its beginning', async () => {
    const chat = generator.startChat();
    const taken = [];
    for await (const { text } of chat.send('a', answering('A long answer'))) if (taken.push(text) === 6) break;
    expect(chat.messages).toEqual([user('a'), { role: 'assistant', content: taken.join('') }]);
    const controller = new AbortController();
    const aborted = chat.send('b', { ...answering('Another long answer'), signal: controller.signal });
    const read = [];
    for await (const { text } of aborted) {
      read.push(text);
      if (read.length === 5) controller.abort();
    }
    expect(await aborted.finished).toMatchObject({ reason: 'abort' });
    expect(chat.messages.at(-1)).toEqual({ role: 'assistant', content: read.join('') });
    expect(await aborted.text()).toBe(read.join(''));
    chat.close();
  });

  test('turns wait for one another', async () => {
    const chat = generator.startChat(answering('one', 'two'));
    const answers = [chat.send('a'), chat.send('b')];
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['one', 'two']);
    expect(chat.messages.map(({ content }) => content)).toEqual(['a', 'one', 'b', 'two']);
    expect((await tokensOf(chat.regenerate(answering('three')))).map(({ text }) => text).join('')).toBe('three');
    expect(chat.messages.map(({ content }) => content)).toEqual(['a', 'one', 'b', 'three']);
    chat.close();
  });
});

test('files that are not chats are rejected', async () => {
  const model = await TextGenerator.load(story);
  const session = model.createSession();
  await session.generate('Once', { maxTokens: 2 }).finished;
  expect(await failureOf(model.openChat(await session.saveCache()))).toMatchObject({
    code: 'INPUT',
    message: expect.stringContaining('has no conversation'),
  });
  expect(await failureOf(model.openChat(new Uint8Array(20)))).toMatchObject({ code: 'FORMAT' });
  const refused = [
    [{ temprature: 1 }, 'temprature'],
    [{ system: 5 }, 'system'],
    [{ chat: {} }, 'chat'],
    [{ maxRounds: -1 }, 'maxRounds'],
  ];
  for (const [options, message] of refused) {
    expect(await failureOf(model.startChat(options).send('a').text())).toMatchObject({
      code: 'INPUT',
      message: expect.stringContaining(message),
    });
  }
  expect(await failureOf(model.startChat().regenerate().text())).toMatchObject({
    code: 'INPUT',
    message: expect.stringContaining('no message of the user'),
  });
  expect(() => model.startChat().branch(1)).toThrow('from 0 to 0');
  // The messages are in the metadata; nothing else differs from the cache of a session.
  const chat = model.startChat({ template: 'chatml', temperature: 0, maxTokens: 3 });
  await chat.send('Once').finished;
  const { metadata } = await readSafetensors(await chat.save());
  expect(JSON.parse(metadata['quintet.messages'])).toEqual(chat.messages);
  model.close();
});
