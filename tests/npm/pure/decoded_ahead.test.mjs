// Pictures of a stream: how many are decoded before the network takes them, and what becomes of the stream.
import { importSource } from '../helpers/source.mjs';

const { DecodedAhead } = await importSource('image_embed/decoded_ahead.ts');

/** A source that counts what was read, and reports how it ended. */
function source(count, { fail } = {}) {
  const log = { read: 0, ended: false };
  async function* images() {
    try {
      for (let i = 0; i < count; ++i) {
        if (i === fail) throw new Error('the disk is gone');
        log.read += 1;
        yield { name: i };
      }
    } finally {
      log.ended = true;
    }
  }
  return { log, images: images() };
}

const decode = async ({ name }) => ({ name });
const settled = () => new Promise(setImmediate);

test('pictures come in order, and one is decoded ahead', async () => {
  const { log, images } = source(5);
  const ahead = new DecodedAhead(images, decode, undefined);
  for (let i = 0; i < 5; ++i) {
    expect(await ahead.take()).toEqual({ name: i });
    await settled();
    expect(log.read).toBe(Math.min(5, i + 2));
  }
  expect(await ahead.take()).toBeUndefined();
  expect(await ahead.take()).toBeUndefined();
});

test('an array is read like a stream', async () => {
  const ahead = new DecodedAhead([{ name: 7 }], decode, undefined);
  expect([await ahead.take(), await ahead.take()]).toEqual([{ name: 7 }, undefined]);
});

test('a picture that cannot be decoded is reported when its turn comes', async () => {
  const { images } = source(3);
  const ahead = new DecodedAhead(
    images,
    async ({ name }) => {
      if (name === 1) throw new TypeError('broken');
      return { name };
    },
    undefined,
  );
  expect(await ahead.take()).toEqual({ name: 0 });
  await settled();
  await expect(ahead.take()).rejects.toThrow('broken');
});

test('errors thrown by the source are passed on unchanged', async () => {
  const { images } = source(3, { fail: 1 });
  const ahead = new DecodedAhead(images, decode, undefined);
  expect(await ahead.take()).toEqual({ name: 0 });
  await expect(ahead.take()).rejects.toThrow('the disk is gone');
  await ahead.close();
});

test('closing ends the source', async () => {
  const { log, images } = source(9);
  const ahead = new DecodedAhead(images, decode, undefined);
  await ahead.take();
  await settled();
  await ahead.close();
  expect(log).toEqual({ read: 2, ended: true });
});

test('an abort does not wait for a source that hangs', async () => {
  const controller = new AbortController();
  const hanging = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}), return: async () => ({}) }) };
  const ahead = new DecodedAhead(hanging, decode, controller.signal);
  const taken = ahead.take();
  controller.abort();
  await expect(taken).rejects.toMatchObject({ code: 'ABORTED' });
  await ahead.close();
});

test.each([[7], [null], [undefined], [{}]])('%j is not a source', (images) => {
  expect(() => new DecodedAhead(images, decode, undefined)).toThrow(/must be an iterable of images/);
});
