// The files that pages load to embed queries: the scripts and modules of the package, and the model, in one folder that
// is named after their content, so that browsers may cache them.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { packageFilesFor, packageFolder } from '../../platform/node/asset_files.js';
import type { EmbedderEntry } from '../format/files.js';
import type { PublishedFile, Transformer } from '../model/transformer.js';

export interface EmbedderFolder {
  entry: EmbedderEntry;
  files: PublishedFile[];
}

export async function embedderFolder({ name, model, files }: Transformer): Promise<EmbedderFolder> {
  const scripts = await Promise.all(
    packageFilesFor(['page', 'embedder']).map(async (script) => ({
      name: script,
      bytes: await readFile(new URL(script, packageFolder)),
    })),
  );
  const all = [...scripts, ...files];
  const hash = createHash('sha256');
  for (const file of all) hash.update(`${file.name} ${file.bytes.length} `).update(file.bytes);
  const folder = `embedder-${hash.digest('hex').slice(0, 12)}`;
  return { entry: { name, folder, model }, files: all.map((file) => ({ ...file, name: `${folder}/${file.name}` })) };
}
