// When a photograph was taken. The pictures were written by Pillow.
import { readFileSync } from 'node:fs';
import { fixture } from '../helpers/quintet.mjs';
import { importSource } from '../helpers/source.mjs';

const { exifDate } = await importSource('cli/images/exif_date.ts');

const read = (name) => new Uint8Array(readFileSync(fixture(`vision/images/${name}`)));
const dated = ['little', 'big'].map((order) => [order, read(`dated_${order}_endian.jpg`)]);
const taken = '2023-07-14T18:03:22';

test.each(dated)('is read from a file in %s-endian order', (_, bytes) => expect(exifDate(bytes)).toBe(taken));

test.each(dated)(
  'a part of a file, or one with other bytes (%s-endian), has that date, another or none',
  (_, bytes) => {
    for (let length = 0; length < bytes.length; ++length) {
      expect([taken, undefined]).toContain(exifDate(bytes.slice(0, length)));
    }
    for (let at = 0; at < 400; ++at) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const broken = bytes.slice();
        broken[at] = byte;
        expect(exifDate(broken) ?? taken).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      }
    }
  },
);

test('a clock that is not set has no date', () => {
  const [[, bytes]] = dated;
  const file = Buffer.from(bytes).toString('latin1');
  for (const text of ['0000:00:00 00:00:00', '    :  :     :  :  ', '2023:13:14 18:03:22', '2023:07:14 25:03:22'])
    expect(exifDate(Buffer.from(file.replace('2023:07:14 18:03:22', text), 'latin1'))).toBeUndefined();
});

test('pictures without Exif data have none', () => {
  expect(exifDate(read('photo444.jpg'))).toBeUndefined();
  expect(exifDate(read('wide.png'))).toBeUndefined();
});
