// A generation is pulled: few tokens are made ahead of who reads them, and none for somebody who reads no more.
import { TextGenerator } from 'quintet';
import { liveObjectsOf } from '../helpers/freed_models.mjs';
import { idsOf, story, threads } from '../helpers/generator_fixtures.mjs';
import { run } from '../helpers/program.mjs';

const ahead = 8;
const prompt = 'Once upon a time, there was a little';
const greedy = { temperature: 0, maxTokens: 60 };

/** Waits until a number that grows has reached another. */
async function reaches(number, least) {
  while (number() < least) await new Promise(setImmediate);
}

describe.each(threads)('%s', (_, worker) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(story, { worker });
  });
  afterAll(() => generator.close());

  /** A generation, and how many of its tokens were begun. */
  function counted(options = greedy) {
    let made = 0;
    const generation = generator.generate(prompt, { ...options, logitsProcessor: () => void ++made });
    return { generation, made: () => made };
  }

  test('tokens are generated up to the unread limit, and one more for each that is read', async () => {
    const ids = await idsOf(generator.generate(prompt, greedy));
    const { generation, made } = counted();
    const read = [];
    for await (const { id } of generation) {
      read.push(id);
      await reaches(made, Math.min(read.length + ahead, greedy.maxTokens));
      expect(made()).toBe(Math.min(read.length + ahead, greedy.maxTokens));
    }
    expect(read).toEqual(ids);
  });

  test('without a reader it waits until the text or the end is requested', async () => {
    const { generation, made } = counted();
    await reaches(made, ahead);
    for (let turn = 0; turn < 50; ++turn) await new Promise(setImmediate);
    expect(made()).toBe(ahead);
    expect((await generation.finished).tokens).toBe(greedy.maxTokens);
    expect(made()).toBe(greedy.maxTokens);
    expect(await generation.text()).toBe(await generator.generate(prompt, greedy).text());
  });

  test('a call waiting behind it lets it run to its end', async () => {
    const { generation, made } = counted();
    await reaches(made, ahead);
    const next = await generator.generate(prompt, { ...greedy, maxTokens: 1 }).text();
    expect(made()).toBe(greedy.maxTokens);
    const text = await generation.text();
    expect(text.startsWith(next)).toBe(true);
    expect(text.length).toBeGreaterThan(next.length);
  });

  test('an abort ends one that waits for its reader', async () => {
    const controller = new AbortController();
    const { generation, made } = counted({ ...greedy, signal: controller.signal });
    const reader = generation[Symbol.asyncIterator]();
    await reader.next();
    await reaches(made, ahead + 1);
    controller.abort();
    let rest = 0;
    while (!(await reader.next()).done) ++rest;
    expect(rest).toBe(ahead);
    expect(await generation.finished).toMatchObject({ reason: 'abort', tokens: ahead + 1 });
  });

  test('a reader that stops ends it; the session holds what was read', async () => {
    const session = generator.createSession();
    const taken = [];
    for await (const { id } of session.generate(prompt, greedy)) if (taken.push(id) === 3) break;
    const ids = [...(await generator.tokenize(prompt))];
    expect([...session.tokens]).toEqual([...ids, ...taken]);
    // All of a short one is made before its first token is read.
    for await (const { id } of session.generate('', { ...greedy, maxTokens: 5 })) if (taken.push(id) === 5) break;
    expect([...session.tokens]).toEqual([...ids, ...taken]);
    expect(taken).toEqual((await idsOf(generator.generate(prompt, greedy))).slice(0, 5));
    session.close();
  });

  test('closing ends one that waits for its reader', async () => {
    const other = await TextGenerator.load(story, { worker });
    let made = 0;
    const generation = other.generate(prompt, { ...greedy, logitsProcessor: () => void ++made });
    await reaches(() => made, ahead);
    other.close();
    await expect(generation.finished).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

test.each([false, true])('one that nobody reads keeps no process alive (worker: %s)', async (worker) => {
  const answer = await run(`
    import { TextGenerator } from 'quintet';
    const generator = await TextGenerator.load(${JSON.stringify(story)}, { worker: ${worker} });
    const reader = generator.generate('a', { maxTokens: 300 })[Symbol.asyncIterator]();
    console.log(JSON.stringify((await reader.next()).done));`);
  expect(answer).toBe(false);
});

test.each([false, true])(
  'one whose end is awaited goes on, even if nothing else refers to it (worker: %s)',
  async (worker) => {
    const summary = await run(
      `import { TextGenerator } from 'quintet';
     const generator = await TextGenerator.load(${JSON.stringify(story)}, { worker: ${worker} });
     const collecting = setInterval(() => globalThis.gc());
     const summary = await generator.generate('', { temperature: 0, maxTokens: 200 }).finished;
     clearInterval(collecting);
     console.log(JSON.stringify(summary));`,
      { flags: ['--expose-gc'] },
    );
    expect(summary).toMatchObject({ reason: 'length', tokens: 200 });
  },
);

test('one without references ends, and its model is freed', async () => {
  const [before, after] = await liveObjectsOf(
    'TextGenerator',
    `let read = await (async () => {
       const generator = await TextGenerator.load(${JSON.stringify(story)});
       const reader = generator.generate('a', { maxTokens: 300 })[Symbol.asyncIterator]();
       return (await reader.next()).value.id;
     })();`,
  );
  expect(before).toBeGreaterThan(0);
  expect(after).toBe(0);
});
