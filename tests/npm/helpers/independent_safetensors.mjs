// Safetensors files through a reader that shares no code with this package: the npm package `safetensors`.
import safetensors from 'safetensors';

/** { metadata: Map of name to { dtype, shape }, getTensor(name): bytes } */
export function readIndependently(file) {
  // It treats `__metadata__` as a tensor, and offsets as those of the whole ArrayBuffer: the key is blanked in a copy,
  // in which every byte has its place.
  const bytes = new Uint8Array(file);
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  const metadata = /"__metadata__":\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\},?/.exec(header);
  if (metadata) {
    const begin = 8 + new TextEncoder().encode(header.slice(0, metadata.index)).length;
    bytes.fill(0x20, begin, begin + new TextEncoder().encode(metadata[0]).length);
  }
  return new safetensors.SafeTensor(bytes);
}
