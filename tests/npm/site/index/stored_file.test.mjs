// Files are compressed with as little memory as they need, without becoming larger.
import { deflateSync, inflateSync } from 'node:zlib';
import { importSource } from '../../helpers/source.mjs';

const { stored } = await importSource('site/index/stored_file.ts');

/** Text-like: words of a hundred, with repetitions far apart. */
function contentOf(length) {
  let text = '';
  for (let i = 0; text.length < length; ++i) text += `word${(i * i) % 97} `;
  return Buffer.from(text.slice(0, length));
}

test.each([0, 1, 200, 250, 251, 6000, 20_000, 33_000, 200_000])(
  '%i bytes are compressed as zlib does by default, but for the header',
  (length) => {
    const content = contentOf(length);
    const bytes = stored(content);
    expect(inflateSync(bytes).equals(content)).toBe(true);
    expect(Buffer.from(bytes.subarray(2)).equals(deflateSync(content, { level: 9 }).subarray(2))).toBe(true);
  },
);

test('a compressed file owns its memory, and no more', () => {
  const bytes = stored(contentOf(3000));
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});
