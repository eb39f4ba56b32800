// Images in Node: JPEG and PNG by a WebAssembly module of their own (bindings/image). Each image has an instance for
// itself, so that a file that breaks the decoder reaches neither models nor other images.

import { readFile } from 'node:fs/promises';

import { ioError, messageOf, memoryError, QuintetError, type ErrorCode, type ErrorReason } from '../../base/errors.js';
import type { Images } from '../../images/pixels.js';

interface Decoder {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  /** 0 where there is no room. */
  allocate(bytes: number): number;
  /** Takes the bytes at an address; 0, or an index of `faults`. */
  decode(address: number, bytes: number): number;
  pixels(): number;
  width(): number;
  height(): number;
}

export const images: Images = {
  taken: 'ImageData, pixels { data, width, height, channels }, or a Blob or the bytes of a JPEG or PNG file',
  async decode(bytes: Uint8Array) {
    const decoder = await startDecoder();
    const address = decoder.allocate(bytes.length);
    if (address === 0) throw memoryError(bytes.length);
    new Uint8Array(decoder.memory.buffer, address, bytes.length).set(bytes);
    const fault = attempt(() => decoder.decode(address, bytes.length));
    if (fault !== 0) throw faultError(fault);

    const width = decoder.width();
    const height = decoder.height();
    const channels = 3;
    // A copy: the instance with all its memory goes.
    const data = new Uint8Array(decoder.memory.buffer, decoder.pixels(), width * height * channels).slice();
    return { data, width, height, channels };
  },
};

let compiled: Promise<WebAssembly.Module> | undefined;

async function startDecoder(): Promise<Decoder> {
  try {
    compiled ??= readFile(new URL('./image-decoder.wasm', import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
    const imports = { env: { emscripten_notify_memory_growth() {} } };
    const decoder = (await WebAssembly.instantiate(await compiled, imports)).exports as unknown as Decoder;
    decoder._initialize();
    return decoder;
  } catch (error) {
    compiled = undefined;
    throw ioError('wasm', `the image decoder cannot be used: ${messageOf(error)}`, error);
  }
}

/** What a trap of the module means is the same as what it says by itself. */
function attempt(decode: () => number): number {
  try {
    return decode();
  } catch (error) {
    const message = `an image cannot be decoded: ${messageOf(error)}`;
    throw new QuintetError('FORMAT', message, { reason: 'malformed', cause: error });
  }
}

/** enum Fault of bindings/image/image_file.h, without its first. */
const faults: readonly (readonly [ErrorCode, ErrorReason, string])[] = [
  ['FORMAT', 'bad_magic', 'an image is neither a JPEG nor a PNG file'],
  ['FORMAT', 'truncated', 'an image ends before its end'],
  ['FORMAT', 'malformed', 'an image breaks the rules of its format'],
  ['INPUT', 'limit', 'an image has more than 67108864 pixels'],
  ['UNSUPPORTED', 'unknown_value', 'an image in CMYK; supported are gray and RGB, with alpha or not'],
  ['UNSUPPORTED', 'unknown_value', 'an image with more than 8 bits a sample; supported are up to 8'],
  ['UNSUPPORTED', 'unknown_value', 'an animated image; supported are those of one picture'],
  ['UNSUPPORTED', 'unknown_value', 'a lossless or arithmetic JPEG image; supported are baseline and progressive ones'],
  ['MEMORY', 'out_of_memory', 'an image is too large for the memory of its decoder'],
];

function faultError(fault: number): QuintetError {
  const [code, reason, message] = faults[fault - 1] ?? faults[2]!;
  return new QuintetError(code, message, { reason });
}
