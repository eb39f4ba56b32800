// A plain reader of safetensors files after the official description, for expectations: it trusts what it reads.

const decoders = {
  F32: (view, at) => view.getFloat32(at, true),
  F16: (view, at) => halfFloat(view.getUint16(at, true)),
  BF16: (view, at) => {
    const widened = new DataView(new ArrayBuffer(4));
    widened.setUint32(0, view.getUint16(at, true) * 0x10000);
    return widened.getFloat32(0);
  },
  I32: (view, at) => view.getInt32(at, true),
  U8: (view, at) => view.getUint8(at),
};
const widths = { F32: 4, F16: 2, BF16: 2, I32: 4, U8: 1 };

function halfFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 0x3ff;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

/** { metadata, tensors: Map of { dtype, shape, bytes, values } by name } */
export function plainSafetensors(file) {
  const { header, dataStart } = headerOf(file);
  const { __metadata__: metadata = {}, ...entries } = header;
  const tensors = Object.entries(entries).map(
    ([
      name,
      {
        dtype,
        shape,
        data_offsets: [begin, end],
      },
    ]) => {
      const bytes = file.subarray(dataStart + begin, dataStart + end);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const width = widths[dtype];
      const values = Array.from({ length: bytes.length / width }, (_, i) => decoders[dtype](view, width * i));
      return [name, { dtype, shape, bytes, values }];
    },
  );
  return { metadata, tensors: new Map(tensors) };
}

function headerOf(file) {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  return { header: JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length))), dataStart: 8 + length };
}

/** The file with a header that `edit` has changed; the data stays where it is. */
export function withHeader(file, edit) {
  const { header, dataStart } = headerOf(file);
  const text = new TextEncoder().encode(JSON.stringify(edit(header) ?? header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
  return new Uint8Array(Buffer.concat([length, text, file.subarray(dataStart)]));
}
