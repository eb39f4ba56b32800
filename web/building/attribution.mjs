import { readFile } from 'node:fs/promises';
import { root } from '../../tools/build/paths.mjs';

/** A Vite plugin: serves the attribution of the bundled texts and models. */
export const attribution = {
  name: 'attribution',
  async generateBundle() {
    const source = await readFile(`${root}models/ATTRIBUTION.md`, 'utf8');
    this.emitFile({ type: 'asset', fileName: 'attribution.txt', source });
  },
};
