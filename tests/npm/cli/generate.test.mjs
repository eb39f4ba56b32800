// generate, logits, perplexity and tokenize with text generators.
import { readFileSync, writeFileSync } from 'node:fs';
import { TextGenerator } from 'quintet';
import { distance } from '../fixtures.mjs';
import { runCases, story, tokenizerCases } from '../generator_fixtures.mjs';
import { parseNpy } from './npy_reader.mjs';
import { expectRefusal, fixture, quintet, quintetJson, scratchFolder, start } from './quintet.mjs';

const scratch = scratchFolder();
const prompt = 'Once upon a time, there was a little';
const greedy = ['--temperature', '0', '--max-tokens', '12'];
const [run] = runCases;
const exact = 1e-3; // of the tolerance's kind: the values went through JSON

let expected;
beforeAll(async () => {
  const generator = await TextGenerator.load(story);
  expected = await generator.generate(prompt, { temperature: 0, maxTokens: 12 }).text();
  generator.close();
});

describe('generate', () => {
  test('prints the text, and nothing else', async () => {
    const { status, stdout, stderr } = await quintet(['generate', '--model', story, '--prompt', prompt, ...greedy]);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${expected}\n`, stderr: '' });
  });

  test('without --model the storyteller of quintet-models tells', async () => {
    const { stdout } = await quintet(['generate', '--prompt', '-', ...greedy], { input: prompt });
    expect(stdout).toBe(`${expected}\n`);
  });

  test('--json tells all of it', async () => {
    const args = ['--model', story, '--prompt', prompt, '--stop', 'nothing', '--stop', ' named', '--logprobs', '2'];
    const [answer] = await quintetJson(['generate', ...args, ...greedy]);
    expect(answer).toMatchObject({ text: expected.slice(0, expected.indexOf(' named')), reason: 'stop' });
    expect(answer.ids).toHaveLength(answer.tokens);
    expect(answer.logprobs.map(({ id }) => id)).toEqual(answer.ids);
    for (const { logprob, top } of answer.logprobs) expect(top[0].logprob).toBeGreaterThanOrEqual(logprob);
  });

  test('the same seed, the same text', async () => {
    const args = ['generate', '--model', story, '--prompt', prompt, '-n', '20', '-t', '1.2', '--seed', '5'];
    const [one, other] = await Promise.all([quintet(args), quintet([...args, '--kv-cache', 'f32', '--top-k', '40'])]);
    expect(one.stdout).toBe(other.stdout);
  });

  test('text comes while it is made', async () => {
    const child = start(['generate', '--model', story, '--prompt', prompt, '-t', '0', '-n', '400']);
    let pieces = 0;
    child.stdout.on('data', () => ++pieces);
    await new Promise((resolve) => child.on('close', resolve));
    expect(pieces).toBeGreaterThan(3);
  });

  test('a conversation', async () => {
    const model = fixture('amb/mistral-window.amb');
    const args = ['generate', '--model', model, '--prompt', 'Hello, world!', '--chat', ...greedy];
    expectRefusal(await quintet(args));
    const [plain] = await quintetJson([...args, '--template', 'mistral']);
    const [told] = await quintetJson([...args, '--template', 'mistral', '--system', 'Be brief.']);
    expect(told.promptTokens).toBeGreaterThan(plain.promptTokens);
  });

  test.each([
    ['a file that is none', ['--model', fixture('embd/f32.weights'), '--prompt', 'x']],
    ['a model without a tokenizer', ['--model', fixture(run.path), '--prompt', 'x']],
    ['a prompt that does not fit', ['--model', story, '--context-length', '4', '--prompt', prompt]],
    ['an option outside its meaning', ['--model', story, '--prompt', 'x', '--top-p', '2']],
  ])('%s: one line and exit status 2', async (_, args) => expectRefusal(await quintet(['generate', ...args])));
});

describe('logits', () => {
  const args = ['logits', '--model', fixture(run.path), '--ids', run.ids.join()];

  test('of the last token, and of all', async () => {
    const [last] = await quintetJson(args);
    expect(last.shape).toEqual([run.rows[0].length]);
    expect(distance(last.logits, run.rows.at(-1))).toBeLessThan(exact);
    const [all] = await quintetJson([...args, '--all']);
    expect(all.shape).toEqual([run.ids.length, run.rows[0].length]);
    expect(distance(all.logits, run.rows.flatMap((values) => [...values]))).toBeLessThan(exact);
  });

  test('as a NumPy file', async () => {
    const out = scratch('logits.npy');
    await quintetJson([...args, '--all', '--out', out]);
    const { shape, values } = parseNpy(readFileSync(out));
    expect(shape).toEqual([run.ids.length, run.rows[0].length]);
    expect(distance(values.subarray(-run.rows[0].length), run.rows.at(-1))).toBeLessThan(exact);
    const { stdoutBytes } = await quintet([...args, '--out', '-']);
    expect(parseNpy(stdoutBytes).shape).toEqual([run.rows[0].length]);
  });
});

describe('perplexity', () => {
  const file = scratch('text.txt');
  beforeAll(() => writeFileSync(file, 'Once upon a time, there was a little girl named Lily. She loved to play.'));

  test('of a text that the model knows and of one that it does not', async () => {
    const [known] = await quintetJson(['perplexity', '--model', story, '--text', file]);
    const [strange] = await quintetJson(['perplexity', '--model', story, '--text', '-'], { input: 'zx qwv 77 ## kkk' });
    expect(known).toMatchObject({ kvCache: 'f32', tokens: expect.any(Number) });
    expect(known.perplexity).toBeGreaterThan(1);
    expect(known.perplexity).toBeLessThan(5);
    expect(strange.perplexity).toBeGreaterThan(10 * known.perplexity);
  });

  test('with a smaller cache, compared', async () => {
    const args = ['perplexity', '--model', story, '--text', file, '--kv-cache', 'int4', '--compare'];
    const [{ perplexity, reference, delta }] = await quintetJson(args);
    expect(delta).toBeCloseTo(perplexity - reference, 10);
    expect(Math.abs(Math.log(perplexity / reference))).toBeLessThan(0.5);
    const { stdout } = await quintet(args);
    expect(stdout).toMatch(/^perplexity [\d.]+ over \d+ tokens, KV cache int4\nwith f32 [\d.]+: [+-][\d.]+\n$/);
  });
});

describe('tokenize', () => {
  test.each(tokenizerCases.map(({ path, texts }) => [path, texts.find(({ text }) => text.length > 10)]))(
    '%s',
    async (path, { text, ids }) => {
      const [answer] = await quintetJson(['tokenize', '--model', fixture(path), '--', text]);
      expect(answer.ids.slice(-ids.length)).toEqual(ids);
      expect(answer.ids.length - ids.length).toBeLessThanOrEqual(1);
      expect(answer.tokens).toHaveLength(answer.ids.length);
    },
  );
});
