// tokenize and embed against the ids and the float64 vectors that come with the fixtures.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  expectRefusal,
  fixture,
  jsonLines,
  quintet,
  quintetJson,
  scratchFolder,
  start,
} from '../../helpers/quintet.mjs';
import { expectVector, model, oneLiners } from '../golden_texts.mjs';
import { growthPerUnit, peakMemory, repeated } from './peak_memory.mjs';

const scratch = scratchFolder();

describe('tokenize', () => {
  test.each(oneLiners.slice(0, 6))('$text', async ({ text, ids }) => {
    const [answer] = await quintetJson(['tokenize', '--model', model, '--', text]);
    expect(answer.ids).toEqual(ids);
    expect(answer.tokens).toHaveLength(ids.length);
  });

  test('names the tokens of the vocabulary', async () => {
    const vocabulary = readFileSync(fixture('tokenizers/embd/vocab.txt'), 'utf8').split('\n');
    const [{ ids, tokens: names }] = await quintetJson(['tokenize', '--model', model, oneLiners[0].text]);
    expect(names).toEqual(ids.map((id) => vocabulary[id]));
  });

  test("of people's text is a line of ids and one of tokens; stdin has a text per line", async () => {
    const input = oneLiners
      .slice(0, 2)
      .map(({ text }) => text)
      .join('\n');
    const { stdout } = await quintet(['tokenize', '--model', model, '-'], { input });
    const lines = stdout.trim().split('\n');
    expect([lines[0], lines[2]]).toEqual(oneLiners.slice(0, 2).map(({ ids }) => ids.join(' ')));
  });
});

describe('embed', () => {
  test('arguments: one JSON line each', async () => {
    const texts = oneLiners.slice(0, 3);
    const { status, stdout, stderr } = await quintet(['embed', '--model', model, ...texts.map(({ text }) => text)]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = jsonLines(stdout);
    expect(lines).toHaveLength(3);
    lines.forEach((line, i) => {
      expect(line).toMatchObject({ index: i, tokens: texts[i].ids.length });
      expectVector(line, texts[i].vector);
    });
  });

  test('lines of stdin, in order, with Windows line ends and without a last newline', async () => {
    const input = oneLiners.map(({ text }) => text).join('\r\n');
    const { stdout, status } = await quintet(['embed', '--model', model], { input });
    expect(status).toBe(0);
    const lines = jsonLines(stdout);
    expect(lines).toHaveLength(oneLiners.length);
    lines.forEach((line, i) => expectVector(line, oneLiners[i].vector));
  });

  test('JSON lines of stdin bring their ids back', async () => {
    const input = oneLiners.map(({ text }, i) => JSON.stringify({ id: `t${i}`, text })).join('\n\n');
    const { stdout } = await quintet(['embed', '--model', model], { input });
    const lines = jsonLines(stdout);
    expect(lines.map(({ id }) => id)).toEqual(oneLiners.map((_, i) => `t${i}`));
    lines.forEach((line, i) => expectVector(line, oneLiners[i].vector));
  });

  test('the vectors are the float32 numbers exactly', async () => {
    const { stdout } = await quintet(['embed', '--model', model, 'quick brown fox']);
    const [{ embedding }] = jsonLines(stdout);
    expect(embedding).toHaveLength(32);
    for (const value of embedding) expect(String(value)).toBe(String(Number(Math.fround(value).toPrecision(9))));
  });

  test('reports which texts were cut', async () => {
    const { stdout, stderr } = await quintet([
      'embed',
      '--model',
      model,
      '--max-length',
      '4',
      'quick brown',
      'quick brown fox',
    ]);
    expect(jsonLines(stdout).map(({ truncated }) => truncated)).toEqual([false, true]);
    expect(stderr).toMatch(/1 of 2 texts/);
  });

  test('rejects long texts with --truncate error', async () => {
    const args = ['--max-length', '4', '--truncate', 'error', 'one two three four five'];
    expectRefusal(await quintet(['embed', '--model', model, ...args]), /text 0 has \d+ tokens, 4 are allowed/);
  });

  test('answers each line before the next one arrives', async () => {
    const child = start(['embed', '--model', model]);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const { text, vector } of oneLiners.slice(0, 2)) {
      child.stdin.write(`${text}\n`);
      expectVector(JSON.parse((await answers.next()).value), vector);
    }
    child.stdin.end();
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  test('ends quietly when its reader closes the pipe', async () => {
    const child = start(['embed', '--model', model]);
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.stdin.on('error', () => {});
    child.stdin.end('some words to embed\n'.repeat(20_000));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [status] = await once(child, 'close');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('more lines take no more memory', async () => {
    const growth = await growthPerUnit([20_000, 60_000, 100_000, 140_000], async (lines) => {
      const blocks = repeated('red fox\n'.repeat(2000), lines / 2000);
      const run = await peakMemory(['embed', '--model', model], blocks, scratch(`peak-${lines}`));
      expect(run).toMatchObject({ status: 0, lines });
      return run;
    });
    // A text that is kept with its vector takes 250 bytes and more.
    expect(growth).toBeLessThan(125);
  });
});
