// When a photograph was taken, as cameras write it into JPEG files (Exif 2.32, sections 4.5 and 4.6). A camera's clock
// has no time zone, so neither has the answer.

/** '2023-07-14T18:03:22'; undefined if the file has no date. */
export function exifDate(jpeg: Uint8Array): string | undefined {
  const tiff = exifOf(jpeg);
  if (!tiff) return undefined;
  const order = tiff.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return undefined;
  const ifd = new Ifds(tiff, order === 0x4949);
  const exif = ifd.find(ifd.uint32(4), tags.exifIfd);
  const date = exif === undefined ? undefined : ifd.find(ifd.uint32(exif + 8), tags.dateTimeOriginal);
  return date === undefined ? undefined : isoDate(ifd.text(date));
}

const tags = { exifIfd: 0x8769, dateTimeOriginal: 0x9003 };

const segments = { startOfScan: 0xda, app1: 0xe1 };

/** The TIFF file in the first segment APP1 that has Exif data; the segments are before the picture. */
function exifOf(jpeg: Uint8Array): DataView | undefined {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 4 <= view.byteLength; ) {
    const [mark, kind, length] = [view.getUint8(at), view.getUint8(at + 1), view.getUint16(at + 2)];
    if (mark !== 0xff || kind === segments.startOfScan || length < 2) return undefined;
    const end = Math.min(at + 2 + length, view.byteLength);
    const hasExif = end - at >= 18 && view.getUint32(at + 4) === 0x45786966 && view.getUint16(at + 8) === 0;
    if (kind === segments.app1 && hasExif) return new DataView(view.buffer, view.byteOffset + at + 10, end - at - 10);
    at = end;
  }
  return undefined;
}

/** Image file directories of TIFF 6.0. Numbers beyond the end of the file read as 0. */
class Ifds {
  constructor(
    private readonly file: DataView,
    private readonly littleEndian: boolean,
  ) {}

  uint16 = (at: number): number => (at + 2 <= this.file.byteLength ? this.file.getUint16(at, this.littleEndian) : 0);

  uint32 = (at: number): number => (at + 4 <= this.file.byteLength ? this.file.getUint32(at, this.littleEndian) : 0);

  /** The position at which the entry with a tag begins. */
  find(ifd: number, tag: number): number | undefined {
    const count = Math.min(this.uint16(ifd), maxEntries);
    for (let i = 0; i < count; ++i) {
      const entry = ifd + 2 + 12 * i;
      if (this.uint16(entry) === tag) return entry;
    }
    return undefined;
  }

  /** The value of an entry that is a text of more than four bytes. */
  text(entry: number): string {
    const at = this.uint32(entry + 8);
    const end = Math.min(at + this.uint32(entry + 4), this.file.byteLength);
    let text = '';
    for (let i = at; i < end && i < at + maxText; ++i) text += String.fromCharCode(this.file.getUint8(i));
    return text;
  }
}

const maxText = 32;
/** Cameras write some 50. */
const maxEntries = 1000;

/** Cameras whose clock is not set write spaces or zeros. */
function isoDate(text: string): string | undefined {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? [];
  const date = `${year}-${month}-${day}T${time}`;
  return Number.isNaN(Date.parse(`${date}Z`)) ? undefined : date;
}
