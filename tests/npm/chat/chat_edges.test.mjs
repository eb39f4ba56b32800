// model.startChat where something is unusual: readers that leave late, turns that fail in a later round, tools and
// options of one turn, objects that are closed.
import { TextGenerator } from 'quintet';
import { z } from 'zod';
import { failureOf } from '../helpers/expectations.mjs';
import { threads } from '../helpers/generator_fixtures.mjs';
import { byteModel, idsOf, saying } from '../helpers/models/byte_model.mjs';

const template =
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ tools | map(attribute="name") | join(",") if tools }}<a>{# <tool_call> #}';
const call = (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`;

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(byteModel(template), { worker });
  });
  afterAll(() => generator.close());

  /** Tokens of these messages' prompt without the answer that is to come. */
  const lengthOf = async (messages, more = '') =>
    (await generator.applyChatTemplate(messages)).ids.length + [...idsOf(more, [])].length;

  test('a reader that stops within the last tokens keeps what it has read', async () => {
    for (const taken of [1, 3, 6]) {
      const chat = generator.startChat();
      let read = '';
      for await (const { text } of chat.send('a', saying(['An end']))) {
        read += text;
        // Meanwhile the answer is complete.
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (read.length === taken) break;
      }
      expect(chat.messages).toEqual([
        { role: 'user', content: 'a' },
        { role: 'assistant', content: read },
      ]);
      expect(chat.length).toBe(await lengthOf([{ role: 'user', content: 'a' }], read));
      chat.close();
    }
  });

  test('a turn that fails in its second round leaves nothing, not even in the file', async () => {
    const chat = generator.startChat({ tools: [{ name: 'add', run: () => 3 }] });
    await chat.send('q', saying(['ok'])).text();
    const [messages, length] = [chat.messages, chat.length];
    const answers = [call('add', {}), 'never'];
    const first = [...idsOf(answers[0], [])].length + 1;
    await expect(chat.send('more', saying(answers, first + 2)).text()).rejects.toThrow('mine');
    expect(chat.messages).toBe(messages);
    expect(chat.length).toBeLessThanOrEqual(length);
    const opened = await generator.openChat(await chat.save());
    expect(opened.messages).toEqual(messages);
    expect(opened.length).toBe(chat.length);
    expect(await chat.send('more', saying([call('add', {}), 'It is 3.'])).text()).toBe('It is 3.');
    chat.close();
    opened.close();
  });

  test('tools of one turn are the only ones the model has', async () => {
    const chat = generator.startChat({ tools: [{ name: 'mine', run: () => 'never' }] });
    // Without `run`, the call is for the caller; this turn has none of the chat's own tools.
    const { toolCalls } = await chat.send('a', {
      ...saying([call('theirs', { x: 1 })]),
      chat: { tools: [{ name: 'theirs' }] },
    }).finished;
    expect(toolCalls).toMatchObject([{ name: 'theirs', arguments: { x: 1 } }]);
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    const run = await chat.send('b', {
      ...saying([call('twice', { x: 2 }), 'Four.']),
      chat: { tools: [{ name: 'twice', run: ({ x }) => 2 * x }] },
    });
    expect(await run.text()).toBe('Four.');
    expect(chat.messages.at(-2)).toMatchObject({ role: 'tool', name: 'twice', content: '4' });
    expect(await failureOf(chat.send('c', { chat: { tools: [{ name: 'f', run: 5 }] } }).text())).toMatchObject({
      code: 'INPUT',
    });
    chat.close();
  });

  test("tools in OpenAI's form validate their arguments as well", async () => {
    const given = [];
    const tool = {
      type: 'function',
      function: { name: 'f', parameters: z.object({ x: z.coerce.number() }) },
      run: (args) => void given.push(args),
    };
    const chat = generator.startChat({ tools: [tool] });
    await chat.send('a', saying([call('f', { x: '12' }), call('f', { x: 'no' }), 'Done'])).text();
    expect(given).toEqual([{ x: 12 }]);
    expect(chat.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'null',
      expect.stringMatching(/^error: f: the schema rejects the value: x: /),
    ]);
    chat.close();
  });

  test('results of tools are passed on as JSON.stringify writes them', async () => {
    class Secret {
      password = 'hunter2';
      toJSON() {
        return { user: 'u', none: undefined, f() {} };
      }
    }
    const values = [new Secret(), { price: new Secret(), at: new Date(0) }, [() => 1, 2n ** 64n], undefined];
    const chat = generator.startChat({ tools: [{ name: 'f', run: ({ i }) => values[i] }] });
    await chat.send('a', saying([...values.map((_, i) => call('f', { i })), 'Done'])).text();
    expect(chat.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      '{"user":"u"}',
      '{"price":{"user":"u"},"at":"1970-01-01T00:00:00.000Z"}',
      '[null,18446744073709551616]',
      'null',
    ]);
    chat.close();
  });

  test('invalid options and messages are errors of the first answer', async () => {
    for (const options of [null, 5, { messages: 5 }, { messages: [{ role: 'user', content: () => 1 }] }])
      expect(await failureOf(generator.startChat(options).send('a').text())).toMatchObject({ code: 'INPUT' });
    for (const tools of [5, ['f'], [{ name: 'f', run: 'x' }]])
      expect(await failureOf(generator.startChat({ tools }).send('a').text())).toMatchObject({
        code: 'INPUT',
        message: expect.stringContaining("option 'tools'"),
      });
    expect(await failureOf(generator.startChat({ topK: -1 }).send('a').text())).toMatchObject({
      message: expect.stringMatching(/^startChat: /),
    });
    const chat = generator.startChat();
    for (const message of [undefined, null, 5, [], ['a']])
      expect(await failureOf(chat.send(message).text())).toMatchObject({
        code: 'INPUT',
        message: expect.stringMatching(/^send: /),
      });
    const file = await chat.save();
    expect(await failureOf(generator.openChat(file, null))).toMatchObject({ code: 'INPUT' });
    expect(await failureOf(generator.openChat(file, { topK: -1 }))).toMatchObject({ code: 'INPUT' });
    expect(await failureOf(generator.applyChatTemplate([{ role: 'user', content: 'a' }], null))).toMatchObject({
      code: 'INPUT',
      message: expect.stringContaining('must be an object, not null'),
    });
    chat.close();
    expect(() => chat.branch(0)).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  test('JSON of an answer that was aborted is an abort', async () => {
    const aborted = generator.generate('a', { maxTokens: 5, signal: AbortSignal.abort('why') });
    expect(await failureOf(aborted.json())).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: 'why' });
  });

  test('closing at once is not a failure', async () => {
    // A rejection that nobody handles would end the process.
    const model = await TextGenerator.load(byteModel(template), { worker });
    const session = model.createSession();
    session.generate('x', { maxTokens: 100 });
    const fork = session.fork();
    model.startChat().close();
    session.close();
    fork.close();
    model.close();
    model.createSession().close();
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
