// Decodes JPEG and PNG images in Node with a separate WebAssembly module (bindings/image). Every image gets a new
// instance, so that a file that breaks the decoder affects neither models nor other images.

import { readFile } from 'node:fs/promises';

import { type ErrorCode, type ErrorReason, ioError, memoryError, messageOf, QuintetError } from '../../base/errors.js';
import type { Images } from '../../images/pixels.js';

interface Decoder {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  /** Returns 0 if out of memory. */
  allocate(bytes: number): number;
  /** Decodes the bytes at an address. Returns 0, or 1 + an index of `faults`. */
  decode(address: number, bytes: number): number;
  pixels(): number;
  width(): number;
  height(): number;
}

export const images: Images = {
  taken: 'ImageData, pixels { data, width, height, channels }, or a Blob or the bytes of a JPEG or PNG file',
  decodesAside: false,
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
    // A copy: the instance is discarded with its memory.
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

/** A trap of the module means a malformed image, too. */
function attempt(decode: () => number): number {
  try {
    return decode();
  } catch (error) {
    const message = `an image cannot be decoded: ${messageOf(error)}`;
    throw new QuintetError('FORMAT', message, { reason: 'malformed', cause: error });
  }
}

/** enum Fault of bindings/image/image_file.h, without the first value. */
const faults: readonly (readonly [ErrorCode, ErrorReason, string])[] = [
  ['FORMAT', 'bad_magic', 'an image is neither a JPEG nor a PNG file'],
  ['FORMAT', 'truncated', 'an image ends before it is complete'],
  ['FORMAT', 'malformed', 'an image breaks the rules of its format'],
  ['INPUT', 'limit', 'an image has more than 67108864 pixels'],
  ['UNSUPPORTED', 'unknown_value', 'CMYK images are not supported, only gray and RGB, with or without alpha'],
  ['UNSUPPORTED', 'unknown_value', 'images with more than 8 bits per sample are not supported'],
  ['UNSUPPORTED', 'unknown_value', 'animated images are not supported'],
  [
    'UNSUPPORTED',
    'unknown_value',
    'lossless and arithmetic JPEG images are not supported, only baseline and progressive ones',
  ],
  ['MEMORY', 'out_of_memory', 'an image is too large for the memory of its decoder'],
];

function faultError(fault: number): QuintetError {
  const [code, reason, message] = faults[fault - 1] ?? faults[2]!;
  return new QuintetError(code, message, { reason });
}
