import { importSource } from '../../helpers/source.mjs';

const { littleWords } = await importSource('site/words/little_words.ts');

test('a region does not change the language', () => {
  expect(littleWords('en-us')).toEqual(littleWords('en'));
  expect(littleWords('pt-br').has('não')).toBe(true);
});

test('question words, and no words that name something', () => {
  for (const word of ['how', 'do', 'i', 'my', 'the']) expect(littleWords('en')).toContain(word);
  for (const word of ['use', 'copy', 'set', 'select', 'null']) expect(littleWords('en')).not.toContain(word);
});

test('a language without a list has none', () => {
  expect(littleWords('ko').size).toBe(0);
  expect(littleWords('').size).toBe(0);
  expect(littleWords('constructor').size).toBe(0);
});
