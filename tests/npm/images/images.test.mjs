// Images that are none, too large, broken or of kinds that are not supported: an error that names the fault, and a
// classifier that continues.
import { ImageClassifier } from 'quintet';
import { small, threads } from '../helpers/classifier_fixtures.mjs';
import { failureOf } from '../helpers/expectations.mjs';
import { fixturePath } from '../helpers/model_fixtures.mjs';
import { gradient, pictureFile } from '../helpers/pictures.mjs';

const png = () => pictureFile('gradient.png');
const jpeg = () => pictureFile('gradient.jpg');

/** The file with other bytes in its IHDR chunk, and the checksum of it. */
function withHeader(at, ...bytes) {
  const file = Buffer.from(png());
  file.set(bytes, 16 + at);
  file.writeUInt32BE(checksum(file.subarray(12, 29)), 29);
  return new Uint8Array(file);
}

function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** The file with other bytes in its frame, counted from the marker. */
function withFrame(at, ...bytes) {
  const file = jpeg();
  file.set(bytes, Buffer.from(file).indexOf(Buffer.from([0xff, 0xc0])) + at);
  return file;
}

function detached() {
  const bytes = png();
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

const element = (name) => ({
  get [Symbol.toStringTag]() {
    return name;
  },
  width: 2,
  height: 2,
});
const picture = gradient();
const floats = (value) => ({ ...picture, data: Float32Array.from(picture.data).fill(0.5).fill(value, 100, 101) });

const bad = [
  ['nothing', undefined, 'INPUT', /undefined/],
  ['null', null, 'INPUT', /null/],
  ['a number', 7, 'INPUT', /number/],
  ['a path', 'cat.png', 'INPUT', /JPEG or PNG file, not string/],
  ['an array', [1, 2, 3], 'INPUT', /Array/],
  ['an element of a page', element('HTMLImageElement'), 'INPUT', /JPEG or PNG file, not HTMLImageElement/],
  ['a canvas', element('OffscreenCanvas'), 'INPUT', /OffscreenCanvas/],
  ['a bitmap', element('ImageBitmap'), 'INPUT', /ImageBitmap/],
  ['an empty file', new Uint8Array(0), 'INPUT', /no bytes/],
  ['an empty blob', new Blob([]), 'INPUT', /no bytes/],
  ['a detached buffer', detached(), 'INPUT', /transferred/],
  ['pixels of no width', { ...picture, width: 0 }, 'INPUT', /0 x 27/],
  ['pixels of half a row', { ...picture, height: 26.5 }, 'INPUT', /26.5/],
  ['pixels of a negative height', { ...picture, height: -27 }, 'INPUT', /-27/],
  ['pixels of NaN', { ...picture, width: NaN }, 'INPUT', /NaN/],
  ['pixels of a width in words', { ...picture, width: '40' }, 'INPUT', /40/],
  ['a monstrous size', { ...picture, width: 2 ** 20, height: 2 ** 20 }, 'INPUT', /too large: at most 67108864/],
  ['a size beyond all numbers', { ...picture, width: 1e300, height: 1e300 }, 'INPUT', /too large/],
  ['one pixel too many', { ...picture, data: picture.data.subarray(1) }, 'INPUT', /3240 samples, not 3239/],
  ['too few pixels', { ...picture, width: 41 }, 'INPUT', /3321 samples, not 3240/],
  ['detached pixels', { ...picture, data: detached() }, 'INPUT', /samples, not 0/],
  ['two channels', { ...picture, channels: 2 }, 'INPUT', /2 channels/],
  ['five channels', { ...picture, channels: 5 }, 'INPUT', /5 channels/],
  ['channels left out', { ...picture, channels: undefined }, 'INPUT', /4 channels/],
  ['pixels in an array', { ...picture, data: [...picture.data] }, 'INPUT', /Array/],
  ['pixels of 16 bits', { ...picture, data: Uint16Array.from(picture.data) }, 'INPUT', /Uint16Array/],
  ['a NaN among floats', floats(NaN), 'INPUT', /0 to 1, not NaN/],
  ['an infinity among floats', floats(Infinity), 'INPUT', /Infinity/],
  ['floats up to 255', floats(255), 'INPUT', /0 to 1, not 255/],
  ['another file', new TextEncoder().encode('GIF89a and more'), 'FORMAT', /neither a JPEG nor a PNG/],
  ['a cut PNG', png().subarray(0, 500), 'FORMAT', /ends before/],
  ['a cut JPEG', jpeg().subarray(0, 500), 'FORMAT', /ends before/],
  ['a wrong byte in a PNG', png().with(600, png()[600] ^ 1), 'FORMAT', /rules/],
  ['a PNG of 16 bits', pictureFile('deep.png'), 'UNSUPPORTED', /8 bits/],
  ['an animated PNG', pictureFile('animated.png'), 'UNSUPPORTED', /animated/],
  ['a PNG of no width', withHeader(0, 0, 0, 0, 0), 'FORMAT', /rules/],
  ['a PNG of a monstrous size', withHeader(0, 0, 1, 0, 0, 0, 1, 0, 0), 'INPUT', /67108864/],
  ['a PNG with less data than pixels', withHeader(0, 0, 0, 0, 41), 'FORMAT', /rules/],
  ['a JPEG in CMYK', withFrame(9, 4), 'UNSUPPORTED', /CMYK/],
  ['a JPEG of 12 bits', withFrame(4, 12), 'UNSUPPORTED', /8 bits/],
  ['a lossless JPEG', withFrame(1, 0xc3), 'UNSUPPORTED', /lossless/],
  ['a JPEG of no height', withFrame(5, 0, 0), 'FORMAT', /rules/],
  ['a JPEG of a monstrous size', withFrame(5, 0xff, 0xff, 0xff, 0xff), 'INPUT', /67108864/],
];

describe.each(threads)('%s', (_, worker) => {
  let classifier;
  let expected;
  beforeAll(async () => {
    classifier = await ImageClassifier.load(fixturePath(small.path), { worker, inputSize: 64 });
    expected = await classifier.logits(picture);
  });
  afterAll(() => classifier.close());

  test.each(bad)('%s', async (__, image, code, message) => {
    for (const call of [() => classifier.classify(image), () => classifier.logits(image)]) {
      const error = await failureOf(call);
      expect(error.message).toMatch(message);
      expect(error.code).toBe(code);
    }
    const error = await failureOf(classifier.classifyBatch([picture, image]));
    expect(error.message).toMatch(/^image 1: /);
    expect(error.code).toBe(code);
    expect(await classifier.logits(picture)).toEqual(expected);
  });

  test.each([
    [{ topK: 0 }, 'out_of_range'],
    [{ topK: 1.5 }, 'out_of_range'],
    [{ top: 3 }, 'unknown_option'],
    [{ signal: 7 }, 'out_of_range'],
    ['five', 'wrong_type'],
  ])('option %j', async (options, reason) => {
    expect(await failureOf(() => classifier.classify(picture, options))).toMatchObject({ code: 'INPUT', reason });
    expect(await failureOf(() => classifier.classifyBatch([picture], options))).toMatchObject({
      code: 'INPUT',
      reason,
    });
  });

  test.each([[picture], ['ab'], [null], [new Uint8Array(3)]])('a batch that is not an array', async (images) => {
    expect(await failureOf(() => classifier.classifyBatch(images))).toMatchObject({
      code: 'INPUT',
      reason: 'wrong_type',
    });
  });

  test.each([
    ['no shape', [new Float32Array(12)], /shape/],
    ['a flat shape', [new Float32Array(12), [12]], /shape/],
    ['a shape of another size', [new Float32Array(12), [3, 2, 3]], /18 values, not 12/],
    ['no values', [new Float32Array(0), [3, 0, 0]], /shape/],
    ['one channel', [new Float32Array(64 * 64), [1, 64, 64]], /channel/],
    ['a monstrous shape', [new Float32Array(12), [3, 2 ** 30, 2 ** 30]], /values, not 12/],
  ])('a prepared input with %s', async (__, args, message) => {
    const error = await failureOf(() => classifier.logits(...args));
    expect(error.message).toMatch(message);
    expect(error.code).toBe('INPUT');
    expect(await classifier.logits(picture)).toEqual(expected);
  });

  test('a blob that cannot be read', async () => {
    class Broken extends Blob {
      arrayBuffer() {
        return Promise.reject(new Error('gone'));
      }
    }
    expect(await failureOf(classifier.classify(new Broken([])))).toMatchObject({ code: 'IO', reason: 'read_failed' });
  });
});
