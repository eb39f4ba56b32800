// Where contestants run.
import { openInChromium } from './chromium.mjs';
import { openInNode } from './node.mjs';
import { urlPath } from './paths.mjs';

/** `path`: how a contestant there names a file of the repository. `open(module)`: a stage for a contestant of it. */
export const ENVIRONMENTS = {
  node: { name: 'Node 24', path: (file) => file, open: openInNode },
  chromium: { name: 'Chromium', path: urlPath, open: openInChromium },
};

export const nameOf = (environment) => ENVIRONMENTS[environment].name;
export const pathIn = (environment, file) => ENVIRONMENTS[environment].path(file);

/** A stage that one call is made on. */
export async function onFreshStage(environment, module, use) {
  const stage = await ENVIRONMENTS[environment].open(module);
  try {
    return await use(stage);
  } finally {
    await stage.close();
  }
}
