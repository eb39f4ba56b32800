// From nothing to the first logits: each sample is a fresh process of Node or a fresh Chromium.
import { join } from 'node:path';

import { openPage } from '../../shared/hosts/chromium_host.mjs';
import { openInNode } from '../../shared/hosts/node_host.mjs';
import { PAGE } from '../paths.mjs';

const NODE_SCRIPT = join(import.meta.dirname, '../hosts/node_cold_start.mjs');

/** Samples by contestant's name: in Node with its memory, in Chromium with the library's files that the page fetched. */
export async function measureColdStarts(environment, contestants, { samples, server }) {
  const start = environment === 'node' ? startInNode : (options) => startInChromium(options, server);
  const results = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (let sample = 0; sample < samples; sample++) {
    for (const { name, options } of contestants) results[name].push(await start(options));
  }
  return results;
}

async function startInNode(options) {
  const { call, close } = openInNode(NODE_SCRIPT);
  try {
    return await call('coldStart', options);
  } finally {
    close();
  }
}

async function startInChromium(options, server) {
  const { page, close } = await openPage(server, PAGE);
  try {
    server.downloads.length = 0;
    const milliseconds = await page.evaluate((values) => globalThis.coldStart(values), options);
    return { milliseconds, downloads: server.downloads.filter(isLibraryFile) };
  } finally {
    await close();
  }
}

function isLibraryFile(file) {
  return /[\\/](dist|node_modules)[\\/]/.test(file);
}
