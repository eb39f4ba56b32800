// The cache folder of the Hub as huggingface_hub makes it, and what is in one
// (https://huggingface.co/docs/huggingface_hub/guides/manage-cache; file_download.py and _tree_cache.py of
// huggingface_hub).
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitOid, sha256 } from './servers/hub_server.mjs';

export const folderOf = (id) => `models--${id.replace('/', '--')}`;
const etagOf = (path, bytes) => (/\.(safetensors|gguf|weights|amb)$/.test(path) ? sha256(bytes) : gitOid(bytes));

/** The folder that hf_hub_download leaves after each of these files, one of which does not exist (.no_exist). */
export function makeAsPythonDoes(cache, id, commit, files, { revision = 'main', links = true } = {}) {
  const folder = join(cache, folderOf(id));
  const write = (path, content) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  write(join(folder, 'refs', revision), commit);
  write(join(folder, '.no_exist', commit, 'added_tokens.json'), '');
  write(join(cache, 'CACHEDIR.TAG'), 'Signature: 8a477f597d28d172789f06886806bc55\n');
  for (const [path, bytes] of Object.entries(files)) {
    const etag = etagOf(path, bytes);
    const pointer = join(folder, 'snapshots', commit, path);
    write(join(cache, '.locks', folderOf(id), `${etag}.lock`), '');
    if (!links) {
      write(pointer, bytes);
      continue;
    }
    write(join(folder, 'blobs', etag), bytes);
    mkdirSync(dirname(pointer), { recursive: true });
    symlinkSync(`${'../'.repeat(path.split('/').length + 1)}blobs/${etag}`, pointer);
  }
}

/** Every file below a folder: a link as `-> target`, others as their text or, if they are large, their SHA-256. */
export function contentsOf(folder) {
  const entries = {};
  const walk = (path) => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inner = path ? `${path}/${name}` : name;
      const stats = lstatSync(join(folder, inner));
      if (stats.isDirectory()) walk(inner);
      else if (stats.isSymbolicLink()) entries[inner] = `-> ${readlinkSync(join(folder, inner))}`;
      else entries[inner] = describe(readFileSync(join(folder, inner)));
    }
  };
  walk('');
  return entries;
}

const describe = (bytes) => (bytes.length < 200 ? bytes.toString() : sha256(bytes));

/** The contents for files that are complete, by the rules. `links`: whether files are links to blobs. */
export function expectedContents(id, commit, files, { revision = 'main', links = true } = {}) {
  const entries = { [`${folderOf(id)}/refs/${revision}`]: commit };
  for (const [path, bytes] of Object.entries(files)) {
    const etag = etagOf(path, bytes);
    const pointer = `${folderOf(id)}/snapshots/${commit}/${path}`;
    if (links) entries[`${folderOf(id)}/blobs/${etag}`] = describe(Buffer.from(bytes));
    entries[pointer] = links
      ? `-> ${'../'.repeat(path.split('/').length + 1)}blobs/${etag}`
      : describe(Buffer.from(bytes));
  }
  return entries;
}
