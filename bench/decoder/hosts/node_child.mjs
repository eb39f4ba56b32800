// A Node process with one contestant. The parent calls the stage's methods by name.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Stage } from '../contestants/stage.mjs';
import { quintetEntry } from '../paths.mjs';

const stage = new Stage({
  importLibrary: () => import(quintetEntry()),
  modelSource: (file) => file,
  writeFile: (path, stream) => pipeline(Readable.fromWeb(stream), createWriteStream(path)),
});

process.on('message', async ({ method, args }) => {
  try {
    process.send({ result: await stage[method](...args) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
