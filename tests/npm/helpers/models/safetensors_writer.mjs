// Writes safetensors files after the official description.

const arrays = { F32: Float32Array, F64: Float64Array, I64: BigInt64Array, I8: Int8Array };

/** Writes { name: { dtype, shape, values } }; the default dtype is F32. */
export function safetensorsFile(tensors) {
  let at = 0;
  const header = {};
  const pieces = [];
  for (const [name, { dtype = 'F32', shape, values }] of Object.entries(tensors)) {
    const typed = arrays[dtype].from(dtype === 'I64' ? values.map(BigInt) : values);
    pieces.push(new Uint8Array(typed.buffer));
    header[name] = { dtype, shape, data_offsets: [at, (at += typed.byteLength)] };
  }
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(new BigUint64Array([BigInt(json.length)]).buffer);
  return new Uint8Array(Buffer.concat([length, json, ...pieces]));
}
