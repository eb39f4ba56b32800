import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);

/** Bytes of files as a server sends them, best compressed: { wasm, javaScript }. */
export async function downloadSizes(files) {
  const sizes = { wasm: 0, javaScript: 0 };
  for (const file of new Set(files)) sizes[extname(file) === '.wasm' ? 'wasm' : 'javaScript'] += await brotliSize(file);
  return sizes;
}

async function brotliSize(file) {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return (await compress(bytes, { params })).length;
}
