// The files of a site's index in Node.

import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

import { inputError, ioError, messageOf } from '../../base/errors.js';
import { type SiteFiles, withSlash } from '../site_files.js';

const inflated = promisify(inflate);

export const siteFiles: SiteFiles = {
  folderOf(location) {
    // Everything without one of these schemes is a path, including 'C:\site'.
    if (typeof location === 'string' && !/^(https?|file):/i.test(location)) return withSlash(pathToFileURL(location));
    try {
      return withSlash(new URL(location));
    } catch {
      throw inputError('wrong_type', `'${location}' is not a URL`);
    }
  },
  async readLocal(url, maxBytes) {
    const path = pathOf(url);
    try {
      const { size } = await stat(path);
      if (size > maxBytes) throw ioError('read_failed', `${path} has ${size} bytes, at most ${maxBytes} are expected`);
      return await readFile(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'IO') throw error;
      throw ioError(code === 'ENOENT' ? 'not_found' : 'read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
    }
  },
  inflate: (bytes, maxBytes) => inflated(bytes, { maxOutputLength: maxBytes }),
};

function pathOf(url: URL): string {
  if (url.protocol !== 'file:') throw inputError('wrong_type', `${url} is neither a file nor on a web server`);
  return fileURLToPath(url);
}
