// RGB pictures as PNG files (ISO/IEC 15948).
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB = 2;
const PAETH = 4;

export function encodePng(bytes, width, height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGB], 8);
  const data = deflateSync(filtered(bytes, width * 3, height), { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Every row as its differences from the prediction by the neighbors to the left and above. */
function filtered(bytes, rowBytes, height) {
  const result = Buffer.alloc((rowBytes + 1) * height);
  const at = (row, i) => (row < 0 || i < 0 ? 0 : bytes[row * rowBytes + i]);
  for (let row = 0; row < height; ++row) {
    result[row * (rowBytes + 1)] = PAETH;
    for (let i = 0; i < rowBytes; ++i) {
      const foretold = paeth(at(row, i - 3), at(row - 1, i), at(row - 1, i - 3));
      result[row * (rowBytes + 1) + 1 + i] = bytes[row * rowBytes + i] - foretold;
    }
  }
  return result;
}

function paeth(left, above, corner) {
  const estimate = left + above - corner;
  const nearest = (a, b) => (Math.abs(estimate - a) <= Math.abs(estimate - b) ? a : b);
  return nearest(left, nearest(above, corner));
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
