// Generations: how they are read, ended, and chosen.
import { getEventListeners } from 'node:events';
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { argmax, idsOf, logSoftmax, story, threads, tokensOf } from '../helpers/generator_fixtures.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { run } from '../helpers/program.mjs';

const greedy = { temperature: 0, maxTokens: 40 };
const prompt = 'Once upon a time, there was a little';
const longPrompt = Array.from({ length: 60 }, () => 'the big dog ran.').join(' ');

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let text;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
    text = await generator.generate(prompt, greedy).text();
  });
  afterAll(() => generator.close());

  test('tokens, stream and text are the same, during and after the generation', async () => {
    const generation = generator.generate(prompt, greedy);
    expect(await generation.text()).toBe(text);
    const tokens = await tokensOf(generation);
    expect(tokens.map((token) => token.text).join('')).toBe(text);
    expect(tokens).toHaveLength(40);
    let streamed = '';
    for await (const piece of generator.generate(prompt, greedy).toReadableStream()) {
      expect(piece).not.toBe('');
      streamed += piece;
    }
    expect(streamed).toBe(text);
    const promptTokens = (await generator.tokenize(prompt)).length;
    expect(await generation.finished).toEqual({
      reason: 'length',
      promptTokens,
      tokens: 40,
      prefillTokens: expect.any(Number),
      prefillMs: expect.any(Number),
      decodeMs: expect.any(Number),
    });
  });

  test('each token is the best one after those before', async () => {
    const ids = [...(await generator.tokenize(prompt))];
    const chosen = await idsOf(generator.generate(ids, { temperature: 0, maxTokens: 5 }));
    expect(chosen).toHaveLength(5);
    for (const id of chosen) {
      expect(argmax(await generator.logits(ids))).toBe(id);
      ids.push(id);
    }
  });

  test('it can be read only once', async () => {
    const generation = generator.generate(prompt, { maxTokens: 2 });
    generation.toReadableStream();
    expect(() => generation[Symbol.asyncIterator]()).toThrow(
      expect.objectContaining({ code: 'INPUT', reason: 'used' }),
    );
  });

  test('calls run one after another', async () => {
    const done = [];
    const calls = [
      generator.generate(prompt, { ...greedy, maxTokens: 100 }).finished.then(() => done.push(0)),
      generator.tokenize('a').then(() => done.push(1)),
      generator.generate(prompt, { maxTokens: 1 }).finished.then(() => done.push(2)),
      generator.perplexity(prompt).then(() => done.push(3)),
    ];
    await Promise.all(calls);
    expect(done).toEqual([0, 1, 2, 3]);
  });

  test('a common prefix is not computed again', async () => {
    // On a slow machine the callback may report 0 tokens more than once, so it is the total that counts.
    const computedFor = async (wanted) => {
      let tokens = 0;
      const onPrefill = (_, total) => {
        tokens = total;
      };
      await generator.generate(wanted, { maxTokens: 1, onPrefill }).finished;
      return tokens;
    };
    expect(await computedFor(longPrompt)).toBeGreaterThan(200);
    expect(await computedFor(`${longPrompt} And`)).toBeLessThan(10);
  });

  test('onPrefill counts up to the whole prompt', async () => {
    const counts = [];
    const { promptTokens } = await generator.generate(`A ${longPrompt}`, {
      maxTokens: 1,
      onPrefill: (done, total) => counts.push([done, total]),
    }).finished;
    const [, total] = counts[0];
    expect(total).toBeLessThanOrEqual(promptTokens);
    expect(counts[0][0]).toBe(0);
    expect(counts.at(-1)[0]).toBe(total);
    expect(counts).toEqual([...counts].sort(([a], [b]) => a - b));
  });

  test('a `stop` text ends it and is left out', async () => {
    const word = text.split(' ').at(-3);
    const generation = generator.generate(prompt, { ...greedy, stop: ['never said', word] });
    let given = '';
    for await (const token of generation) given += token.text;
    expect(given).toBe(text.slice(0, text.indexOf(word)));
    expect((await generation.finished).reason).toBe('stop');
    expect(await generation.text()).toBe(given);
  });

  test('the same seed gives the same text', async () => {
    const told = (options) => generator.generate(prompt, { temperature: 1.5, maxTokens: 30, ...options }).text();
    expect(await told({ seed: 7 })).toBe(await told({ seed: 7 }));
    const texts = await Promise.all([told({ seed: 7 }), told({ seed: 8 }), told({}), told({})]);
    expect(new Set(texts).size).toBe(4);
  });

  test('options limit the choice', async () => {
    const hot = { temperature: 50, maxTokens: 20, seed: 1 };
    for (const only of [{ topK: 1 }, { topP: 1e-9 }, { minP: 1 }]) {
      const steady = { ...hot, topK: 0, topP: 1, ...only };
      expect(await generator.generate(prompt, steady).text()).toBe(
        await generator.generate(prompt, { ...greedy, maxTokens: 20 }).text(),
      );
    }
  });

  test('log probabilities are those of the model', async () => {
    const ids = [...(await generator.tokenize(prompt))];
    const tokens = await tokensOf(generator.generate(prompt, { temperature: 0, maxTokens: 3, logprobs: 4 }));
    expect(tokens).toHaveLength(3);
    for (const { id, logprob, top } of tokens) {
      const expected = logSoftmax(await generator.logits(ids));
      expect(logprob).toBeCloseTo(expected[id], 4);
      expect(top).toHaveLength(4);
      expect(top[0]).toMatchObject({ id, logprob });
      const best = [...expected.keys()].sort((a, b) => expected[b] - expected[a]).slice(0, 4);
      expect(top.map((entry) => entry.id)).toEqual(best);
      ids.push(id);
    }
    const [bare] = await tokensOf(generator.generate(prompt, { maxTokens: 1 }));
    expect(Object.keys(bare).sort()).toEqual(['id', 'text']);
  });

  test('a logitsProcessor edits what is chosen from', async () => {
    const wanted = [...(await generator.tokenize('dog cat bird', { addBos: false }))];
    const held = [...(await generator.tokenize(prompt))];
    const seen = [];
    const logitsProcessor = (logits, tokens) => {
      seen.push([...tokens]);
      expect(Object.prototype.toString.call(logits)).toBe('[object Float32Array]');
      logits[wanted[seen.length - 1]] = 1000;
    };
    const chosen = await idsOf(generator.generate(prompt, { maxTokens: wanted.length, logitsProcessor }));
    expect(chosen).toEqual(wanted);
    expect(seen).toEqual(wanted.map((_, i) => [...held, ...wanted.slice(0, i)]));
  });

  test.each(['logitsProcessor', 'onPrefill'])('errors thrown by %s reach the caller', async (name) => {
    const thrown = new Error('enough');
    const callback = () => {
      throw thrown;
    };
    const generation = generator.generate(`Then ${prompt}`, { [name]: callback });
    await expect(tokensOf(generation)).rejects.toBe(thrown);
    await expect(generation.text()).rejects.toBe(thrown);
    await expect(generation.finished).rejects.toBe(thrown);
    expect(await generator.generate(prompt, greedy).text()).toBe(text);
  });

  test('an abort while it runs ends the text', async () => {
    const controller = new AbortController();
    const generation = generator.generate(prompt, { ...greedy, maxTokens: 400, signal: controller.signal });
    let given = '';
    let count = 0;
    for await (const token of generation) {
      given += token.text;
      if (++count === 5) controller.abort();
    }
    const { reason, tokens } = await generation.finished;
    expect({ reason, tokens }).toEqual({ reason: 'abort', tokens: count });
    expect(count).toBeLessThan(400);
    expect(await generation.text()).toBe(given);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(await generator.generate(prompt, greedy).text()).toBe(text);
  });

  test('an abort while the prompt is computed leaves nothing', async () => {
    const controller = new AbortController();
    const onPrefill = () => controller.abort();
    const generation = generator.generate(`So ${longPrompt}`, { signal: controller.signal, onPrefill });
    expect(await tokensOf(generation)).toEqual([]);
    expect(await generation.finished).toMatchObject({ reason: 'abort', tokens: 0 });
    expect(await generator.generate(prompt, greedy).text()).toBe(text);
  });

  test('an abort before its turn rejects at once', async () => {
    const running = generator.generate(prompt, { ...greedy, maxTokens: 200 });
    const controller = new AbortController();
    const waiting = generator.generate(prompt, { signal: controller.signal });
    const aborted = generator.generate(prompt, { signal: AbortSignal.abort() });
    controller.abort();
    const order = [running.finished, waiting.finished, aborted.finished].map(async (finished, i) => {
      await finished;
      return i;
    });
    expect(await Promise.race(order)).not.toBe(0);
    expect(await waiting.text()).toBe('');
    expect((await aborted.finished).reason).toBe('abort');
    expect((await running.finished).tokens).toBe(200);
  });

  test('leaving the loop or canceling the stream stops it', async () => {
    const left = generator.generate(prompt, { ...greedy, maxTokens: 400 });
    for await (const token of left) if (token.text) break;
    expect((await left.finished).reason).toBe('abort');
    const cancelled = generator.generate(prompt, { ...greedy, maxTokens: 400 });
    const reader = cancelled.toReadableStream().getReader();
    await reader.read();
    await reader.cancel();
    expect((await cancelled.finished).tokens).toBeLessThan(400);
    expect(await generator.generate(prompt, greedy).text()).toBe(text);
  });

  test.each([
    ['maxTokens', 0],
    ['maxTokens', 1.5],
    ['temperature', -1],
    ['temperature', 101],
    ['temperature', NaN],
    ['topK', -1],
    ['topP', 0],
    ['topP', 1.1],
    ['minP', 2],
    ['repetitionPenalty', 0],
    ['frequencyPenalty', Infinity],
    ['presencePenalty', '1'],
    ['seed', -1],
    ['seed', 2 ** 53],
    ['stop', 'text'],
    ['stop', ['']],
    ['stop', Array(65).fill('a')],
    ['logprobs', 21],
    ['chat', 'mistral'],
    ['signal', {}],
    ['logitsProcessor', 1],
    ['onPrefill', 1],
    ['colour', 'red'],
  ])('option %s: %p', async (name, value) => {
    const generation = generator.generate(prompt, { [name]: value });
    const reason = name === 'colour' ? 'unknown_option' : 'out_of_range';
    for (const reading of [tokensOf(generation), generation.text(), generation.finished]) {
      expect(await failureOf(reading)).toMatchObject({ code: 'INPUT', reason });
    }
  });

  test.each([
    [undefined, 'wrong_type'],
    [7, 'wrong_type'],
    [[], 'missing'],
    [['a'], 'out_of_range'],
    [[1e9], 'out_of_range'],
    [[1, -1], 'out_of_range'],
    [[{ role: 'user', content: 1 }], 'missing'], // a model without a template
    [longPrompt.repeat(5), 'limit'],
  ])('prompt %#', async (wrong, reason) => {
    const error = await failureOf(generator.generate(wrong).text());
    expect(error).toMatchObject({ code: 'INPUT', reason });
    expect(await generator.generate(prompt, greedy).text()).toBe(text);
  });

  test.each([
    [{ role: 'robot', content: 'a' }, 'out_of_range'],
    [{ role: 'user', content: 1 }, 'wrong_type'],
  ])('a built-in template does not know %p', async (message, reason) => {
    const generation = generator.generate([message], { chat: { template: 'chatml' } });
    expect(await failureOf(generation.text())).toMatchObject({ code: 'INPUT', reason });
  });

  test('a story begins with the begin token alone', async () => {
    const generation = generator.generate('', greedy);
    expect((await generation.text()).startsWith('Once upon a time')).toBe(true);
    expect((await generation.finished).promptTokens).toBe(1);
  });
});

describe.each(threads)('closing %s', (_, worker) => {
  test('ends running, waiting and later calls', async () => {
    const generator = await TextGenerator.load(story, { worker });
    const running = generator.generate(prompt, { maxTokens: 400 });
    const session = generator.createSession();
    // Not until its end: few of the 400 tokens are generated before they are read.
    const tokens = running[Symbol.asyncIterator]();
    expect((await tokens.next()).done).toBe(false);
    const calls = [running.text(), generator.tokenize('a'), session.generate('a').text()];
    generator.close();
    generator.close();
    calls.push(generator.logits([1]), generator.generate('a').text(), session.logits());
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'CLOSED', reason: 'closed' });
  });
});

test('a conversation is written with the template that is named', async () => {
  const generator = await TextGenerator.load(fixturePath('amb/mistral-window.amb'));
  const messages = [{ role: 'user', content: 'Hello, world!' }];
  expect((await failureOf(generator.generate(messages).text())).code).toBe('INPUT');
  const { promptTokens } = await generator.generate(messages, { chat: { template: 'mistral' }, maxTokens: 1 }).finished;
  expect(promptTokens).toBeGreaterThan((await generator.tokenize('Hello, world!')).length);
  generator.close();
});

test('options of a conversation without one are rejected', async () => {
  const generator = await TextGenerator.load(story);
  const error = await failureOf(generator.generate(prompt, { chat: { template: 'chatml' } }).text());
  expect(error).toMatchObject({ code: 'INPUT', reason: 'mismatch', message: expect.stringContaining("'chat'") });
  generator.close();
});

test('unhandled failures stay quiet', async () => {
  const answer = await run(`
    import { TextGenerator } from 'quintet';
    const generator = await TextGenerator.load(${JSON.stringify(story)});
    generator.generate(7);
    generator.generate('a', { topP: 7 });
    generator.generate(Array(9999).fill(1));
    await generator.generate('a', { maxTokens: 1 }).text();
    // Node ends a process for a rejection that nobody handles when the microtasks are done.
    await new Promise(setImmediate);
    generator.close();
    console.log(JSON.stringify('quiet'));`);
  expect(answer).toBe('quiet');
});

test.each([false, true])(
  'a generator that is not closed does not keep the process alive (worker: %s)',
  async (worker) => {
    const answer = await run(`
    import { TextGenerator } from 'quintet';
    const generator = await TextGenerator.load(${JSON.stringify(story)}, { worker: ${worker} });
    const { tokens } = await generator.generate('a', { maxTokens: 3 }).finished;
    console.log(JSON.stringify([tokens, generator instanceof TextGenerator]));`);
    expect(answer).toEqual([3, true]);
  },
);
