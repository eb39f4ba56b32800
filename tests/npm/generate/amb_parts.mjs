// AMB files taken apart and put together again, with other contents. docs/formats/amb.md describes them.

const headerBytes = 28;

/** The config is an object. `weightsAt`: where they begin in the file. */
export function ambParts(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const [metadata, config, tokenizer] = [8, 12, 16].map((at) => view.getUint32(at, true));
  const weights = Number(view.getBigUint64(20, true));
  let at = headerBytes + metadata;
  const part = (bytes) => file.slice(at, (at += bytes));
  const parsed = JSON.parse(new TextDecoder().decode(part(config)));
  return { config: parsed, tokenizer: part(tokenizer), weightsAt: at, weights: part(weights) };
}

/** Without metadata and checksum. `weightBytes`: their size according to the header. */
export function ambFile({ config, tokenizer, weightsAt, weights, weightBytes = weights.length }) {
  // The zeros between tensors fill up to multiples of 8 of the place in the file: the distance from these must stay.
  const text = JSON.stringify(config);
  const before = headerBytes + '{}'.length + text.length + tokenizer.length;
  const padded = Buffer.from(text + ' '.repeat((((weightsAt - before) % 8) + 8) % 8));
  const header = Buffer.alloc(headerBytes);
  header.write('AMBEE\x01', 'latin1');
  [2, padded.length, tokenizer.length].forEach((bytes, i) => header.writeUInt32LE(bytes, 8 + 4 * i));
  header.writeBigUInt64LE(BigInt(weightBytes), 20);
  return new Uint8Array(Buffer.concat([header, Buffer.from('{}'), padded, tokenizer, weights]));
}
