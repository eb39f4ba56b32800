import { openInChromium } from '../../shared/hosts/chromium_host.mjs';
import { openInNode } from '../../shared/hosts/node_host.mjs';
import { NODE_CHILD, PAGE } from '../paths.mjs';

export const STORAGES = ['f32', 'int8', 'binary'];
const SETTINGS = { vectors: 100_000, dimension: 384, hits: 10, searches: 60 };

/** Milliseconds of searches by storage, each storage in a process or page of its own. */
export async function measureSearches(environment, server) {
  const samples = {};
  for (const storage of STORAGES) {
    const stage = environment === 'node' ? openInNode(NODE_CHILD) : await openInChromium(server, PAGE);
    try {
      samples[storage] = await stage.call('search', { storage, ...SETTINGS });
    } finally {
      await stage.close();
    }
  }
  return samples;
}
