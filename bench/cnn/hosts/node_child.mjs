// A Node process with one contestant. The parent calls the stage's methods by name.
import { Stage } from '../contestants/stage.mjs';
import { nodePlatform } from './node_platform.mjs';

const stage = new Stage(nodePlatform);

process.on('message', async ({ method, args }) => {
  try {
    process.send({ result: await stage[method](...args) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
