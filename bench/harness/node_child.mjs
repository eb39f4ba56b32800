// node node_child.mjs MODULE
// A process of Node with one contestant of a module. The parent calls the stage's methods by name.
import { pathToFileURL } from 'node:url';

import { nodePlatform } from './node_platform.mjs';
import { Stage } from './stage.mjs';

const stage = new Stage(nodePlatform, await import(pathToFileURL(process.argv[2]).href));

process.on('message', async ({ method, args }) => {
  try {
    process.send({ result: await stage.call(method, args) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
