// Passages: some sentences that are found as one.
import { importSource } from '../../helpers/source.mjs';

const { passagesOf } = await importSource('site/content/passages.ts');
const prose = (text, more = {}) => ({ text, isCode: false, weight: 1, ...more });
const textsOf = (blocks) => passagesOf(blocks).map(({ text }) => text);
const words = (text) => text.split(/\s+/).length;

const sentence = 'This is a sentence of exactly ten words, more or less.';

test('short paragraphs are one passage, a line each', () => {
  expect(textsOf([prose('One.'), prose('Two.')])).toEqual(['One.\nTwo.']);
});

test('long texts are cut at the ends of sentences, and nothing is lost', () => {
  const text = Array(50).fill(sentence).join(' ');
  const passages = textsOf([prose(text)]);
  expect(passages.join(' ')).toBe(text);
  for (const passage of passages) {
    expect(passage.endsWith('less.')).toBe(true);
    expect(words(passage)).toBeGreaterThanOrEqual(50);
    expect(words(passage)).toBeLessThanOrEqual(135);
  }
});

test('sentences of scripts without spaces, too', () => {
  const text = '猫が庭で日なたぼっこをしている。'.repeat(100);
  const passages = textsOf([prose(text)]);
  expect(passages.length).toBeGreaterThan(3);
  expect(passages.join('')).toBe(text);
  for (const passage of passages) expect(passage.endsWith('。')).toBe(true);
});

test('no character is cut', () => {
  const family = '👨‍👩‍👧‍👦';
  const passages = textsOf([prose(family.repeat(1000))]);
  expect(passages.length).toBeGreaterThan(1);
  for (const passage of passages) expect(passage.length % family.length).toBe(0);
});

test('other weights are other passages', () => {
  expect(textsOf([prose('One.'), prose('Two.', { weight: 2 }), prose('Three.')])).toEqual(['One.', 'Two.', 'Three.']);
});

test('short code belongs to the sentences around it, long code does not', () => {
  const code = { text: 'a = 1', isCode: true, weight: 1 };
  const long = { text: Array(30).fill('call(x)').join('\n'), isCode: true, weight: 1 };
  expect(passagesOf([prose('So:'), code, prose('Then.'), long, prose('End.')])).toEqual([
    prose('So:\na = 1\nThen.'),
    long,
    prose('End.'),
  ]);
});

test('long code is cut between lines', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `  line ${i}: value`);
  const passages = textsOf([{ text: lines.join('\n'), isCode: true, weight: 1 }]);
  expect(passages.length).toBeGreaterThan(3);
  expect(passages.join('\n')).toBe(lines.join('\n'));
});

test('a heading without a link begins a passage, unless the last one is short', () => {
  const long = Array(6).fill(sentence).join(' ');
  const heading = prose('Heading', { isHeading: true });
  expect(textsOf([prose(long), heading, prose('Text.')])).toEqual([long, 'Heading\nText.']);
  expect(textsOf([prose('Short.'), heading, prose('Text.')])).toEqual(['Short.\nHeading\nText.']);
});
