// Prompts of a prefix and a suffix: the ids are in the order of each family.
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { story } from '../helpers/generator_fixtures.mjs';
import { byteModel } from '../helpers/models/byte_model.mjs';

test.each([
  ['Qwen', ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'], (p, s, m) => [p, 'ab', s, 'cd', m]],
  ['StarCoder', ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'], (p, s, m) => [p, 'ab', s, 'cd', m]],
  ['Codestral', ['[PREFIX]', '[SUFFIX]'], (p, s) => [s, 'cd', p, 'ab']],
])('%s fills in the middle', async (_, special, order) => {
  const model = await TextGenerator.load(byteModel('', special));
  const session = model.createSession();
  await session.generate([5, 6], { maxTokens: 1 }).text();
  const { promptTokens } = await session.generate({ prefix: 'ab', suffix: 'cd' }, { maxTokens: 1 }).finished;
  const idOf = (text) => 3 + 256 + special.indexOf(text);
  const bytes = (text) => [...new TextEncoder().encode(text)].map((byte) => 3 + byte);
  const space = '\u2581';
  // The vocabulary is SentencePiece's, which puts a space before each text.
  const expected = order(...special).flatMap((part) => (special.includes(part) ? [idOf(part)] : bytes(space + part)));
  expect([...session.tokens.slice(0, promptTokens)]).toEqual([1, ...expected]);
  model.close();
});

test('prompts that cannot be filled in are rejected', async () => {
  const model = await TextGenerator.load(story);
  const refused = (prompt, options) => failureOf(() => model.generate(prompt, options).text());
  expect(await refused({ prefix: 'a', suffix: 'b' })).toMatchObject({ code: 'UNSUPPORTED' });
  expect(await refused({ prefix: 'a' })).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
  expect(await refused({ prefix: 'a', suffix: 1 })).toMatchObject({ code: 'INPUT', reason: 'wrong_type' });
  expect(await refused({ prefix: 'a', suffix: 'b', middle: 'c' })).toMatchObject({ reason: 'unknown_option' });
  expect(await refused({ prefix: 'a', suffix: 'b' }, { chat: {} })).toMatchObject({ reason: 'mismatch' });
  model.close();
});
