import { expectRefusal, fixture, jsonLines, quintet, quintetJson } from '../helpers/quintet.mjs';

const model = fixture('embd/f32.weights');
const text = 'quick brown fox';
const detokenize = (args, input) => quintet(['detokenize', '--model', model, ...args], { input });

let ids;
beforeAll(async () => {
  [{ ids }] = await quintetJson(['tokenize', '--model', model, text]);
});

test('accepts ids as arguments, separated by commas or spaces', async () => {
  for (const args of [ids.map(String), [ids.join()], [ids.join(' ')], [ids.join(', ')]]) {
    expect(await detokenize(args)).toMatchObject({ status: 0, stdout: `${text}\n`, stderr: '' });
  }
  expect((await detokenize(['--special', ids.join()])).stdout).toBe(`[CLS] ${text} [SEP]\n`);
  expect(jsonLines((await detokenize(['--json', ids.join()])).stdout)).toEqual([{ text }]);
});

test('reads a list per line of stdin, in any form, and writes a line for each', async () => {
  const lists = [ids.join(' '), ids.join(), '', JSON.stringify(ids), JSON.stringify({ ids, tokens: [] }), '[]'];
  const { status, stdout } = await detokenize(['-'], `${lists.join('\n')}\n`);
  expect(status).toBe(0);
  expect(stdout).toBe(`${[text, text, '', text, text, ''].join('\n')}\n`);
});

test('undoes tokenize --json', async () => {
  const { stdout } = await quintet(['tokenize', '--model', model, '--json', '-'], { input: 'fox\nlazy dog\n' });
  expect((await detokenize(['-'], stdout)).stdout).toBe('fox\nlazy dog\n');
});

test.each([
  ['a word', '1 two', /line 1 takes token ids like 1,2,3, not '1 two'/],
  ['a negative id', '[-1]', /jsonl: line 1 is not a list of token ids/],
  ['a fraction', '[1.5]', /line 1 is not a list of token ids/],
  ['a list of texts', '["1"]', /line 1 is not a list of token ids/],
  ['an object without ids', '{"tokens": [1]}', /line 1 is not a list of token ids/],
  ['broken JSON', '[1, 2', /jsonl: line 1 is not JSON \(at byte 0\)/],
  ['bytes that are not UTF-8', Uint8Array.of(0xff, 10), /text: line 1 is not UTF-8/],
  ['an id outside of the vocabulary', '99999999', /99999999/],
])('rejects %s in a line', async (_, input, pattern) => expectRefusal(await detokenize(['-'], input), pattern));

test('the model from stdin, but not the ids at the same time', async () => {
  expectRefusal(await quintet(['detokenize', '--model', '-', '-']), /only one of the model and the ids can be stdin/);
  expectRefusal(await detokenize([]), /ID is missing/);
});
