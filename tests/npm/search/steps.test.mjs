// Splitting any text into words takes no more than n log n steps. Steps are blocks of code that V8 counts as it runs
// them, and characters that the engine's own functions read; time would depend on the machine.
import { run } from '../helpers/program.mjs';

/** Texts that are repeated. Marks are sorted by engines, and by insertion. */
const repeated = {
  letters: 'a',
  spaces: ' ',
  'letters and spaces': 'a ',
  digits: '7',
  punctuation: '.',
  'soft hyphens': '\u00ad',
  'joiners between letters': 'a\u200d',
  'variation selectors': '\ufe0f',
  'boundaries of zero width': '\u200b',
  'accents of two classes': '\u0301\u0323',
  'points of Hebrew': '\u05bc\u05b0',
  'vowels of Arabic': '\u0651\u064e',
  'viramas and nuktas': '\u094d\u0d3c',
  'viramas, nuktas and what is dropped': '\u094d\u00ad\u0d3c\u0301',
  'marks of Tibetan': '\u0f74\u0f71',
  'vowels and tones of Thai': '\u0e48\u0e38',
  'voicing marks and viramas': '\u3099\u0bcd\u3099\u1b34',
  'Han characters': '水',
  'Han and letters': '水a',
  'characters of another plane': '𠮷',
  emoji: '👩\u200d',
  'halves of surrogate pairs': '\ud800',
  'parts of Hangul syllables': '\u11a8',
  'ligatures of eighteen characters': '\ufdfa',
  fractions: '½',
};

test('no text takes more than n log n steps', async () => {
  const steps = await run(`
    import { Session } from 'node:inspector/promises';
    import { SearchIndex } from 'quintet';
    let read = 0;
    for (const name of ['normalize', 'toLowerCase', 'split', 'replace', 'match']) {
      const original = String.prototype[name];
      String.prototype[name] = function (...args) {
        read += this.length;
        // Sorting a run of marks by insertion takes time quadratic in its length.
        if (name === 'normalize') for (let at = 0, marks = 0; at < this.length; ++at) read += (marks = isMark(this[at]) ? marks + 1 : 0);
        return original.apply(this, args);
      };
    }
    const { normalize } = String.prototype;
    const mark = /\\p{M}/u;
    const isMark = (unit) => mark.test(unit);
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    async function stepsOf(text) {
      await session.post('Profiler.takePreciseCoverage');
      read = 0;
      const index = new SearchIndex({ dimension: 1 });
      index.add({ id: 'a', vector: Float32Array.of(1), text });
      await index.search(text);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const blocks = result.filter(({ url }) => url.includes('/dist/')).flatMap(({ functions }) => functions).flatMap(({ ranges }) => ranges);
      return blocks.reduce((sum, { count }) => sum + count, 0) + read;
    }
    const steps = {};
    await stepsOf('the tables are read');
    for (const [kind, part] of Object.entries(${JSON.stringify(repeated)})) {
      // Marks need a letter, and pairs of it with them.
      const all = (length) => 'का' + part.repeat(Math.ceil(length / part.length)).slice(0, length);
      steps[kind] = [await stepsOf(all(50_000)), await stepsOf(all(100_000))];
    }
    console.log(JSON.stringify(steps));`);
  for (const [kind, [half, whole]] of Object.entries(steps)) {
    expect([kind, whole / half < 2.2]).toEqual([kind, true]);
    expect([kind, whole < 200 * 100_000]).toEqual([kind, true]);
  }
  expect(Object.keys(steps).length).toBeGreaterThanOrEqual(20);
}, 120_000);
