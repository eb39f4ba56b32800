// Words that occur together get nearer, and what all passages share goes: told by vectors that are worked out by hand.
import { importSource } from '../../helpers/source.mjs';

const { ByteVectors } = await importSource('site/index/byte_vectors.ts');
const { PassageWords } = await importSource('site/index/passage_words.ts');
const { fittedTo, vectorOf } = await importSource('site/index/contexts.ts');
const { meanOf, without } = await importSource('site/index/mean.ts');

function vectors(rows) {
  const all = new ByteVectors(rows[0].length);
  for (const row of rows) all.push(Float32Array.from(row));
  return all;
}
const cosine = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0) / Math.hypot(...a) / Math.hypot(...b);

test('a passage is the sum of its words: titles by their weight, repeated words up to three times', () => {
  const passages = new PassageWords();
  passages.push([0], [1, 1, 1, 1, 1], 4);
  const words = vectors([
    [1, 0],
    [0, 1],
  ]);
  // 4 of the title and 3 of the text: a triangle with sides 3, 4 and 5.
  const [x, y] = vectorOf(passages, 0, words);
  expect(x).toBeCloseTo(0.8, 2);
  expect(y).toBeCloseTo(0.6, 2);
});

test('many vectors added at once give the bits of one after another', () => {
  const words = vectors(
    Array.from({ length: 11 }, (_, row) => Array.from({ length: 24 }, (_, i) => Math.sin(7 * row + i))),
  );
  words.push(new Float32Array(24));
  for (const count of [0, 1, 3, 4, 7, 8, 12]) {
    const rows = Uint32Array.from({ length: count }, (_, i) => (5 * i) % 12);
    const factors = Uint8Array.from(rows, (row) => 1 + (row % 3));
    const [together, one] = [new Float32Array(24), new Float32Array(24)];
    words.addAllTo(together, rows, factors);
    rows.forEach((row, i) => words.addTo(one, row, factors[i]));
    expect(new Uint8Array(together.buffer)).toEqual(new Uint8Array(one.buffer));
  }
});

test('a word unknown to the model takes the meaning of its passages', () => {
  const passages = new PassageWords();
  passages.push([], [0, 1], 1);
  passages.push([], [2, 3], 1);
  const fitted = fittedTo(
    passages,
    vectors([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [0.7, 0.7, 0.1],
    ]),
  );
  // Words 0 and 1 were at right angles.
  expect(cosine(fitted.vector(0), fitted.vector(1))).toBeGreaterThan(0.7);
  expect(cosine(fitted.vector(0), fitted.vector(2))).toBeLessThan(cosine(fitted.vector(0), fitted.vector(1)));
});

test('a word without passages stays unchanged', () => {
  const passages = new PassageWords();
  passages.push([], [0], 1);
  const fitted = fittedTo(
    passages,
    vectors([
      [1, 0],
      [0.5, 0.5],
    ]),
  );
  expect(cosine(fitted.vector(1), [1, 1])).toBeCloseTo(1, 3);
});

test('without their mean, similar vectors become distinct', () => {
  const alike = vectors([
    [0.99, 0.1],
    [0.99, -0.1],
  ]);
  const rest = without(meanOf(alike), alike);
  expect(cosine(rest.vector(0), rest.vector(1))).toBeCloseTo(-1, 1);
});

test('passages beyond one block of memory are kept', () => {
  const passages = new PassageWords();
  for (let i = 0; i < 300; ++i)
    passages.push(
      [],
      Array.from({ length: 500 }, (_, k) => i * 500 + k),
      1,
    );
  // The pieces have room for 131 of them each.
  for (const passage of [0, 130, 131, 299])
    expect([...passages.of(passage).rows]).toEqual(Array.from({ length: 500 }, (_, k) => passage * 500 + k));
  expect(passages.entries).toBe(150_000);
});
