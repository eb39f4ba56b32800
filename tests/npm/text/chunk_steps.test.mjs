// No text makes chunkText count more than in proportion to n log n: neither how often, nor how much text.
import { chunkText } from 'quintet';

const n = 100_000;
const run = (pattern) => pattern.repeat(Math.ceil(n / pattern.length)).slice(0, n);

const runs = {
  letters: run('a'),
  'short words': run('a '),
  words: run('lorem ipsum dolor '),
  sentences: run('It was so. '),
  paragraphs: run('It was so.\n\n'),
  'line feeds': `a${run('\n')}b`,
  spaces: `a${run(' ')}b`,
  'lines of spaces': `a${run(`${' '.repeat(99)}\n`)}b`,
  'full stops': run('.'),
  'ideographic full stops': run('。'),
  'closing brackets': run(')'),
  'a mark and closing brackets': `。${run('」')}a`,
  brackets: run('(['),
  ideographs: run('漢字'),
  Thai: run('ที่นี่'),
  'combining marks': `e${run('\u0301')}`,
  'joined emoji': run('👩‍'),
  flags: run('🇩🇪'),
  conjuncts: run('क्'),
  'high surrogates': run('\ud83d'),
  'low surrogates': run('\ude00'),
  'zero width spaces': run('\u200b'),
  'byte order marks': `.${run('\ufeff')}a`,
  'spaces with marks': run(' \u0301'),
  'carriage returns': `a${run('\r')}b`,
  'a long word in words': `${run('a b ').slice(n / 2)}${run('x').slice(n / 2)} c d`,
  'one space, then ideographs': `漢 ${run('字')}`,
  addresses: run('https://example.org/?q=a&r=b '),
};

const counts = {
  characters: (text) => [...text].length,
  // Counts like WordPiece: a word of more than 100 letters is one unknown token.
  'pieces of words': (text) =>
    text.split(/\s+/).reduce((sum, word) => sum + (word.length > 100 ? 1 : Math.ceil(word.length / 4)), 0),
  // Jumps up and down as the text grows.
  unevenly: (text) => Math.ceil(text.length / 4) + ((text.length * 7919) % 5),
};

describe.each(Object.entries(runs))('%s', (_, text) => {
  test.each(Object.entries(counts))('counted in %s', (__, count) => {
    for (const [maxTokens, overlap] of [
      [16, 0],
      [64, 16],
      [2000, 1000],
      [60_000, 0],
    ]) {
      let calls = 0;
      let length = 0;
      const countTokens = (part) => {
        calls += 1;
        length += part.length;
        return count(part);
      };
      const chunks = chunkText(text, { maxTokens, overlap, countTokens });
      expect(calls).toBeLessThanOrEqual(4 * text.length);
      expect(length).toBeLessThanOrEqual(4 * text.length * Math.log2(text.length));
      expect(text.slice(chunks.at(-1).end).trim()).toBe('');
    }
  });
});
