// Requests at the same time are computed together, and each gets what it gets alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientOf, loadStory } from '../served.mjs';

const prompts = ['Once upon a time', 'The dog', 'One day, Ben and his mom', 'A bird', 'Lily saw a big', 'Tom ran'];
const asked = (prompt, i) => ({ model: 'story', prompt, max_tokens: 24 + i, temperature: 1, seed: 100 + i });

describe('requests at the same time', () => {
  let generator;
  let client;
  let expected;
  beforeAll(async () => {
    generator = await loadStory();
    ({ client } = clientOf({ story: generator }));
    expected = [];
    for (const [i, prompt] of prompts.entries()) {
      const options = { maxTokens: 24 + i, temperature: 1, seed: 100 + i };
      expected.push(await generator.generate(prompt, options).text());
    }
    // Jest runs a module that several import at once before it is complete.
    await generator.generateMany(['A'], { maxTokens: 1 })[0].text();
  });
  afterAll(() => generator.close());

  const textOf = async (prompt, i) => (await client.completions.create(asked(prompt, i))).choices[0].text;
  async function streamedTextOf(prompt, i) {
    let text = '';
    for await (const { choices } of await client.completions.create({ ...asked(prompt, i), stream: true }))
      text += choices[0].text;
    return text;
  }

  test('get the same texts as each alone, streamed or not', async () => {
    const texts = await Promise.all(prompts.map((prompt, i) => (i % 2 ? textOf : streamedTextOf)(prompt, i)));
    expect(texts).toEqual(expected);
  });

  test('rejected and aborted requests change nothing for the others', async () => {
    const controller = new AbortController();
    const aborted = client.completions.create(
      { ...asked('The dog', 1), max_tokens: 400 },
      { signal: controller.signal },
    );
    const wrong = client.completions.create({ ...asked('The dog', 1), prompt: [1e6] });
    const texts = Promise.all(
      prompts.map(async (prompt, i) => {
        const text = await streamedTextOf(prompt, i);
        controller.abort();
        return text;
      }),
    );
    await expect(wrong).rejects.toMatchObject({ status: 400 });
    await expect(aborted).rejects.toThrow('aborted');
    expect(await texts).toEqual(expected);
  });

  test('a client that stops reading does not hold up others', async () => {
    const idle = await client.completions.create({ ...asked('The dog', 1), max_tokens: 400, stream: true });
    const reader = idle[Symbol.asyncIterator]();
    await reader.next();
    expect(await Promise.all(prompts.map(textOf))).toEqual(expected);
    await reader.return();
  });

  test('several choices stream as they come', async () => {
    const options = { ...asked('The dog', 1), n: 4, stream: true };
    const texts = ['', '', '', ''];
    const order = [];
    const reasons = [];
    for await (const { choices } of await client.completions.create(options)) {
      for (const { index, text, finish_reason } of choices) {
        texts[index] += text;
        order.push(index);
        if (finish_reason) reasons[index] = finish_reason;
      }
    }
    const alone = [];
    for (let i = 0; i < 4; i++)
      alone.push(await generator.generate('The dog', { maxTokens: 25, temperature: 1, seed: 101 + i }).text());
    expect(texts).toEqual(alone);
    expect(reasons).toEqual(['length', 'length', 'length', 'length']);
    // None waits for the end of another.
    expect(order.lastIndexOf(0)).toBeGreaterThan(order.indexOf(3));
  });

  test('prompts of one request are counted once each', async () => {
    const { choices, usage } = await client.completions.create({
      ...asked('', 0),
      prompt: ['The dog', 'A bird'],
      n: 2,
      max_tokens: 5,
    });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    const lengths = await Promise.all(['The dog', 'A bird'].map((text) => generator.countTokens(text)));
    expect(usage).toMatchObject({ prompt_tokens: lengths[0] + lengths[1], completion_tokens: 20 });
  });
});
