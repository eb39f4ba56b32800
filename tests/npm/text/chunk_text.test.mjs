import fc from 'fast-check';
import { chunkText } from 'quintet';

const words = (text) => text.split(/\s+/).filter(Boolean).length;
const characters = (text) => [...text].length;
const prose = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\n', '\n\n', '. ', '! ', '。', '😀', 'naïve', 'e\u0301', '\t'),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.stringMatching(/^[a-z]{1,12}$/),
    ),
    { maxLength: 120 },
  )
  .map((pieces) => pieces.join(' '));

test('chunks are parts of the text in order, none too long, with only white space left out', () => {
  const property = fc.property(prose, fc.integer({ min: 1, max: 40 }), (text, maxTokens) => {
    const chunks = chunkText(text, { maxTokens, countTokens: characters });
    let end = 0;
    for (const chunk of chunks) {
      expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
      expect(characters(chunk.text)).toBeLessThanOrEqual(maxTokens);
      // A space with a mark is not white space.
      expect(chunk.text.replace(/^\s(?=[\p{M}\p{Gr_Ext}\u200d])/u, '')).toBe(chunk.text.trim());
      expect(chunk.text).not.toBe('');
      expect(text.slice(end, chunk.start).trim()).toBe('');
      expect(/^[\udc00-\udfff]/.test(chunk.text) && /[\ud800-\udbff]$/.test(text.slice(0, chunk.start))).toBe(false);
      end = chunk.end;
    }
    expect(text.slice(end).trim()).toBe('');
  });
  fc.assert(property, { numRuns: 300 });
});

test('with overlap each chunk begins within the one before, at a word, by no more than allowed', () => {
  const sizes = [fc.integer({ min: 2, max: 30 }), fc.integer({ min: 1, max: 12 })];
  const property = fc.property(prose, ...sizes, (text, maxTokens, overlap) => {
    fc.pre(overlap < maxTokens);
    const chunks = chunkText(text, { maxTokens, overlap, countTokens: words });
    for (const { start, end } of chunks) expect(words(text.slice(start, end))).toBeLessThanOrEqual(maxTokens);
    chunks.slice(1).forEach(({ start, end }, i) => {
      const before = chunks[i];
      expect(start).toBeGreaterThan(before.start);
      expect(end).toBeGreaterThan(before.end);
      expect(words(text.slice(start, before.end))).toBeLessThanOrEqual(overlap);
      expect(text.slice(before.end, start).trim()).toBe('');
    });
    expect(text.slice(chunks.at(-1)?.end ?? 0).trim()).toBe('');
  });
  fc.assert(property, { numRuns: 300 });
});

describe('where it splits', () => {
  const texts = (text, maxTokens, overlap) =>
    chunkText(text, { maxTokens, overlap, countTokens: words }).map((chunk) => chunk.text);

  test('between paragraphs', () => {
    const text = 'One two. Three.\n\nFour five.\n\nSix seven.';
    expect(texts(text, 6)).toEqual(['One two. Three.\n\nFour five.', 'Six seven.']);
  });
  test.each([
    ['carriage returns', '\r\r'],
    ['CR LF', '\r\n\r\n'],
    ['paragraph separators', '\u2029'],
    ['line separators', '\u2028\u2028'],
    ['next lines', '\u0085\u0085'],
  ])('between paragraphs that end with %s', (_, end) => {
    const text = `One two three.${end}Four five six. Seven`;
    const chunks = chunkText(text, {
      maxTokens: 6,
      countTokens: (text) => text.split(/[\s\x85]+/).filter(Boolean).length,
    });
    expect(chunks.map(({ start }) => start)).toEqual([0, text.indexOf('Four')]);
  });
  test('between lines, not paragraphs, at a single CR LF', () => {
    expect(texts('One.\r\nTwo three. Four five', 4)).toEqual(['One.\r\nTwo three.', 'Four five']);
  });
  test('between sentences where a paragraph is too long', () => {
    const text = 'One two three. Four five! Six seven? Eight.';
    expect(texts(text, 5)).toEqual(['One two three. Four five!', 'Six seven? Eight.']);
  });
  test('between words where a sentence is too long', () => {
    expect(texts('one two three four five', 2)).toEqual(['one two', 'three four', 'five']);
  });
  test('within a word that is too long, but not within a character', () => {
    const chunks = chunkText('ab😀😀cd', { maxTokens: 3, countTokens: characters });
    expect(chunks.map(({ text }) => text)).toEqual(['ab😀', '😀cd']);
  });
  test('with overlap', () => {
    expect(texts('a b c d e f g', 4, 2)).toEqual(['a b c d', 'c d e f', 'e f g']);
  });
  test('a short text is one chunk', () => {
    const chunks = chunkText('  hello world \n', { maxTokens: 5, countTokens: words });
    expect(chunks).toEqual([{ text: 'hello world', start: 2, end: 13 }]);
  });
  test('white space is not a chunk', () => {
    expect(texts(' \n ', 3)).toEqual([]);
    expect(texts('', 3)).toEqual([]);
  });
});

test('a long text needs few token counts', () => {
  let counted = 0;
  const countTokens = (text) => {
    counted += text.length;
    return words(text) + 2;
  };
  const text = 'It was a dark and stormy night. '.repeat(30_000);
  const chunks = chunkText(text, { maxTokens: 256, countTokens });
  expect(chunks.length).toBeGreaterThan(700);
  expect(counted).toBeLessThan(20 * text.length);
});

test.each([
  [undefined, { maxTokens: 3, countTokens: words }, 'wrong_type'],
  ['a', { countTokens: words }, 'missing'],
  ['a', { maxTokens: 3 }, 'missing'],
  ['a', { maxTokens: 0, countTokens: words }, 'out_of_range'],
  ['a', { maxTokens: 3, overlap: 3, countTokens: words }, 'out_of_range'],
  ['a', { maxTokens: 3, overlap: -1, countTokens: words }, 'out_of_range'],
  ['a', { maxTokens: 3, countTokens: 5 }, 'out_of_range'],
  ['a', { maxTokens: 3, size: 1, countTokens: words }, 'unknown_option'],
  ['a', { maxTokens: 3, countTokens: async () => 1 }, 'wrong_type'],
  ['a', { maxTokens: 3, countTokens: () => NaN }, 'wrong_type'],
  ['a', { maxTokens: 1, countTokens: () => 2 }, 'out_of_range'],
])('rejects %j, %j', (text, options, reason) => {
  let error;
  try {
    chunkText(text, options);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: 'QuintetError', code: 'INPUT', reason });
});
