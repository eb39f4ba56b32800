// perplexity, and what a compressed context costs it: against windows, rounding and probabilities computed here.
import { readFileSync, writeFileSync } from 'node:fs';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';
import { logSoftmax, story, withGenerator } from '../helpers/generator_fixtures.mjs';
import { expectRefusal, fixture, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';
import { int4Rounded } from './int4_rounding.mjs';

const scratch = scratchFolder();
const mistral = fixture('amb/mistral-window.amb');
const lines = [
  'Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw a',
  'big, red ball. She wanted to play with it, but it was too high. Lily asked her mom for help. Her mom smiled and gave her the',
  'ball. Lily was very happy.',
];
const tale = lines.join(' ');
const file = scratch('text.txt');
beforeAll(() => writeFileSync(file, tale));

test('of a likely text and of an unlikely one', async () => {
  const [known] = await quintetJson(['perplexity', '--model', story, '--text', file]);
  const [strange] = await quintetJson(['perplexity', '--model', story, '--text', '-'], { input: 'zx qwv 77 ## kkk' });
  expect(known).toEqual({ kvCache: 'f32', tokens: expect.any(Number), perplexity: expect.any(Number) });
  expect(known.perplexity).toBeGreaterThan(1);
  expect(known.perplexity).toBeLessThan(5);
  expect(strange.perplexity).toBeGreaterThan(10 * known.perplexity);
});

test('with a smaller cache', async () => {
  const args = ['--model', story, '--text', file];
  const [{ perplexity, kvCache }] = await quintetJson(['perplexity', ...args, '--kv-cache', 'int8']);
  const [exact] = await quintetJson(['perplexity', ...args]);
  expect(kvCache).toBe('int8');
  expect(Math.abs(Math.log(perplexity / exact.perplexity))).toBeLessThan(0.1);
  expect(perplexity).not.toBe(exact.perplexity);
  const [two] = await quintetJson(['perplexity', ...args, '--kv-cache', 'int8/f32']);
  expect(two.kvCache).toBe('int8/f32');
  expect([perplexity, exact.perplexity]).not.toContain(two.perplexity);
  expectRefusal(await quintet(['perplexity', ...args, '--kv-cache', 'int8/f8']), /--kv-cache takes f32.*not 'f8'/);
  const { stdout } = await quintet(['perplexity', ...args, '--kv-cache', 'int4']);
  expect(stdout).toMatch(/^perplexity [\d.]+ over \d+ tokens, KV cache int4\n$/);
});

/** [context, targets] of each window. */
function windowsOf(ids, window, stride) {
  const windows = [];
  for (let counted = window - stride; counted < ids.length; counted += stride) {
    const begin = counted - (window - stride);
    windows.push([ids.slice(begin, counted), ids.slice(counted, begin + window)]);
  }
  return windows;
}

async function plainPerplexity(generator, windows) {
  let sum = 0;
  let count = 0;
  for (const [context, targets] of windows) {
    const ids = [...context, ...targets];
    const all = await generator.logits(ids, { all: true });
    const vocabulary = all.length / ids.length;
    for (let at = context.length; at < ids.length; at++) {
      sum -= logSoftmax(all.subarray((at - 1) * vocabulary, at * vocabulary))[ids[at]];
      count++;
    }
  }
  return Math.exp(sum / count);
}

async function hold(session, ids) {
  const length = session.length + ids.length;
  await session.generate(ids, { temperature: 0, maxTokens: 1 }).finished;
  session.rewind(length);
}

/** `rounded`: what becomes of the values along a head. */
async function perplexityAfter(generator, windows, rounded) {
  let sum = 0;
  let count = 0;
  for (const [context, targets] of windows) {
    const session = generator.createSession();
    await hold(session, context.slice(0, -1));
    const { tensors, metadata } = await readSafetensors(await session.saveCache());
    for (const { shape, data } of tensors.values()) data.set(rounded(data, shape[3]));
    await session.loadCache(await writeSafetensors(tensors, metadata));
    for (const [i, id] of [...context.slice(-1), ...targets].entries()) {
      if (i > 0) sum -= logSoftmax(await session.logits())[id];
      await hold(session, [id]);
    }
    count += targets.length;
    session.close();
  }
  return Math.exp(sum / count);
}

const near = (actual, expected) => expect(Math.abs(Math.log(actual / expected))).toBeLessThan(1e-3);

describe.each([
  ['of stories', story, tale, 40, 12],
  ['with a sliding window', mistral, 'Hello, world! The small model reads the text. Hello, world!', 20, 9],
])('--compare, a model %s', (_, model, text, window, stride) => {
  const args = ['perplexity', '--compare', '--model', model, '--text', '-', '--window', window, '--stride', stride].map(
    String,
  );

  test('INT4, compared with the cache as it was computed', () =>
    withGenerator(model, {}, async (generator) => {
      const ids = [...(await generator.tokenize(text))];
      const windows = windowsOf(ids, window, stride);
      expect(windows.length).toBeGreaterThan(2);
      const { stdout, status } = await quintet([...args, '--json'], { input: text });
      const answer = JSON.parse(stdout);
      near(answer.reference, await plainPerplexity(generator, windows));
      near(answer.perplexity, await perplexityAfter(generator, windows, int4Rounded));
      expect(answer.delta).toBeCloseTo(answer.perplexity - answer.reference, 10);
      expect(answer).toMatchObject({ tokens: ids.length - (window - stride), kvCache: 'int4', window, stride });
      expect(answer).toMatchObject({ limit: 0.5, passed: answer.delta < 0.5 });
      expect(status).toBe(answer.passed ? 0 : 1);
      // Heads of 8 values: 4 bytes and a scale of 2, for 16.
      expect(answer.groupSize).toBe(8);
      expect(answer.ratioToF16).toBeCloseTo(16 / 6, 10);
    }));

  test('F16', () =>
    withGenerator(model, {}, async (generator) => {
      const windows = windowsOf([...(await generator.tokenize(text))], window, stride);
      const [answer] = await quintetJson([...args, '--kv-cache', 'f16'], { input: text });
      near(answer.reference, await plainPerplexity(generator, windows));
      near(answer.perplexity, answer.reference);
      expect(answer).toMatchObject({ kvCache: 'f16', groupSize: null, ratioToF16: 1, passed: true });
    }));
});

test('--compare for people, with the usual window', async () => {
  const { stdout, stderr, status } = await quintet(['perplexity', '--compare', '--model', story, '--text', file]);
  expect(stdout).toMatch(
    /^perplexity [\d.]+ over \d+ tokens, KV cache int4\ngroups of 8, 2\.67 times smaller than f16\nuncompressed [\d.]+, difference [+-][\d.]+\npassed: the difference is below 0\.5\n$/,
  );
  expect([stderr, status]).toEqual(['', 0]);
  const [{ window, stride, tokens }] = await quintetJson(['perplexity', '--compare', '--model', story, '--text', file]);
  const ids = await withGenerator(story, {}, (generator) => generator.tokenize(tale));
  expect({ window, stride, tokens }).toEqual({
    window: ids.length,
    stride: Math.floor(ids.length / 2),
    tokens: Math.floor(ids.length / 2),
  });
});

// Lines that end within sentences are strange to the model: what it needs of the context is rare there.
test('a loss beyond the limit is a failed check', async () => {
  const args = ['perplexity', '--compare', '--model', story, '--text', '-'];
  const { stdout, stderr, status } = await quintet(args, { input: lines.join('\n') });
  expect(stdout).toMatch(/\+[\d.]+\nfailed: the difference is not below 0\.5\n$/);
  expect([stderr, status]).toEqual(['', 1]);
});

test.each([
  ['a window without --compare', ['--window', '20'], '', /--window needs --compare/],
  [
    'a group without INT4',
    ['--compare', '--kv-cache', 'f16', '--group-size', '32'],
    '',
    /--group-size needs --kv-cache int4/,
  ],
  ['a group that there is not', ['--compare', '--group-size', '16'], '', /32, 64, 128/],
  ['files have no int8', ['--compare', '--kv-cache', 'int8'], '', /int4 or f16/],
  ['no cache is plainer than itself', ['--compare', '--kv-cache', 'f32'], '', /int4 or f16/],
  ['an empty text', ['--compare'], '', /the text has 1 token, too few for a context of 2 tokens and one to score/],
  [
    'a text of less than a context',
    ['--compare', '--window', '100'],
    'Once upon a time',
    /too few for a context of 50 tokens/,
  ],
  ['a text that is not UTF-8', [], Uint8Array.of(79, 110, 0xff), /the text is not UTF-8/],
  ['a window beyond the context', ['--compare', '--window', '513'], tale, /does not fit into the context of 512/],
  [
    'a window without a context',
    ['--compare', '--window', '20', '--stride', '19'],
    tale,
    /at least 2 tokens of context/,
  ],
  [
    'a stride beyond the window',
    ['--compare', '--window', '20', '--stride', '30'],
    tale,
    /at least 2 tokens of context/,
  ],
])('%s', async (_, args, input, pattern) => {
  expectRefusal(await quintet(['perplexity', '--model', story, '--text', '-', ...args], { input }), pattern);
});

test('the model from stdin', async () => {
  const args = ['perplexity', '--compare', '--model', '-', '--text', file];
  expect((await quintet(args, { input: readFileSync(story) })).status).toBe(0);
});
