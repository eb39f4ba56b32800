// Vectors of passages are kept for the next build: only new texts are embedded.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { scratchFolder } from '../../helpers/quintet.mjs';
import { importSource } from '../../helpers/source.mjs';

const { KeptVectors } = await importSource('site/build/kept_vectors.ts');
const scratch = scratchFolder();

/** Vectors of three values, from the text's length alone; `asked` has every text that it was given. */
function modelOf(fingerprint = 'one') {
  const asked = [];
  const vectorsOf = async (texts) => {
    asked.push(...texts);
    return Float32Array.from(texts.flatMap(({ length }) => [length, -0.3 * length, 0]));
  };
  return { name: 'lengths', fingerprint, dimension: 3, asked, vectorsOf, close() {} };
}

function fileIn(name) {
  mkdirSync(scratch(name), { recursive: true });
  return `${scratch(name)}/vectors`;
}

test('each text is embedded once, and again only if it or the model has changed', async () => {
  const path = fileIn('kept');
  const first = modelOf();
  const kept = await KeptVectors.open(first, path);
  const vectors = await kept.vectorsOf(['aa', 'b', 'aa']);
  expect(first.asked).toEqual(['aa', 'b']);
  // In steps of 1/127 of the largest value.
  const expected = [2, (-38 * 2) / 127, 0, 1, -38 / 127, 0, 2, (-38 * 2) / 127, 0];
  vectors.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i], 6);
  });
  await kept.vectorsOf(['b']);
  expect(first.asked).toEqual(['aa', 'b']);
  await kept.commit();

  const second = modelOf();
  const next = await KeptVectors.open(second, path);
  expect(await next.vectorsOf(['aa', 'ccc'])).toEqual(
    await (await KeptVectors.open(modelOf(), fileIn('empty'))).vectorsOf(['aa', 'ccc']),
  );
  expect(second.asked).toEqual(['ccc']);
  await next.commit();
  // 'b' is not used any more.
  expect(readFileSync(path)).toHaveLength(2 * (16 + 4 + 3));

  const other = modelOf('two');
  await (await KeptVectors.open(other, path)).vectorsOf(['aa']);
  expect(other.asked).toEqual(['aa']);
});

test('a file that is cut off loses its last vector', async () => {
  const path = fileIn('cut');
  const kept = await KeptVectors.open(modelOf(), path);
  await kept.vectorsOf(['a', 'bb']);
  await kept.commit();
  writeFileSync(path, readFileSync(path).subarray(0, -1));
  const again = modelOf();
  await (await KeptVectors.open(again, path)).vectorsOf(['a', 'bb']);
  expect(again.asked).toEqual(['bb']);
});
