// Decodes a JPEG or PNG file with the package's own decoder.
import { readFile } from 'node:fs/promises';

const decoderFile = new URL('../../dist/image-decoder.wasm', import.meta.url);

/** { data: red, green, blue by rows, width, height } */
export async function decodePicture(bytes) {
  const imports = { env: { emscripten_notify_memory_growth() {} } };
  const { instance } = await WebAssembly.instantiate(await readFile(decoderFile), imports);
  const decoder = instance.exports;
  decoder._initialize();
  const address = decoder.allocate(bytes.length);
  new Uint8Array(decoder.memory.buffer, address, bytes.length).set(bytes);
  const fault = decoder.decode(address, bytes.length);
  if (fault !== 0) throw new Error(`cannot decode the image: error ${fault}`);
  const [width, height] = [decoder.width(), decoder.height()];
  return { data: new Uint8Array(decoder.memory.buffer, decoder.pixels(), width * height * 3), width, height };
}
