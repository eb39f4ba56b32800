import { readFile } from 'node:fs/promises';
import { root } from '../../tools/build/paths.mjs';
import { web } from './paths.mjs';

/**
 * A Vite plugin: serves the attribution of the book and the bundled models, and the license of the library that is
 * bundled with the chat page.
 */
export const attribution = {
  name: 'attribution',
  async generateBundle() {
    const texts = await Promise.all(
      [`${web}book/ATTRIBUTION.md`, `${root}models/ATTRIBUTION.md`, `${web}node_modules/marked/LICENSE`].map((path) =>
        readFile(path, 'utf8'),
      ),
    );
    const source = texts.join('\n\n');
    this.emitFile({ type: 'asset', fileName: 'attribution.txt', source });
  },
};
