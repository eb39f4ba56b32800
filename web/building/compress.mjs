// Compresses the files of the site ahead of time, as small as possible.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

// Weights hardly get smaller, and uncompressed files allow a browser to resume an interrupted download.
const compressible = ['.html', '.css', '.js', '.mjs', '.json', '.svg', '.wasm', '.index', '.txt', '.webmanifest'];
/** For files of tens of megabytes, the slowest levels take minutes. */
const big = 4 << 20;

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

export async function compressFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.includes(extname(entry.name)));
  await Promise.all(files.map(({ parentPath, name }) => compress(`${parentPath}/${name}`)));
}

async function compress(path) {
  const bytes = await readFile(path);
  const quality = bytes.length > big ? 5 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${path}.br`, await asBrotli(bytes, { params }));
  await writeFile(`${path}.gz`, await asGzip(bytes, { level: bytes.length > big ? 6 : 9 }));
}
