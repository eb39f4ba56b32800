// The files of decoders, made once: 10 GB for all. One is made again when its shape or the code in this folder changes.
import { join } from 'node:path';

import { MADE } from '../../harness/paths.mjs';
import { MODELS } from '../decoder_shapes.mjs';
import { convertTo, hashOfCode, makeOnce } from '../files/make_once.mjs';
import { writeModel } from './gguf_model.mjs';

const fileOf = (name) => join(MADE, 'decoder', name);

/** The model of a shape, as all contestants but quintet load it. */
export const ggufFile = (shape) => fileOf(`${shape}.gguf`);
/** As quintet loads it: the same weights, in its own format where the shape says so. */
export const quintetFile = (shape) => (MODELS[shape].convert ? fileOf(`${shape}.amb`) : ggufFile(shape));

export async function prepareModels(names) {
  const code = await hashOfCode(import.meta.dirname);
  for (const name of names) {
    const shape = MODELS[name];
    await makeOnce(`the files of ${name}`, fileOf(`.made-by-${name}`), `${JSON.stringify(shape)} ${code}`, async () => {
      await writeModel(ggufFile(name), shape);
      if (shape.convert) await convertTo(quintetFile(name), ggufFile(name), shape.convert);
    });
  }
}
