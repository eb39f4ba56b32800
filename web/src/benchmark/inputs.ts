// The inputs: questions from quintet-models, and drawings that the site's build has prepared.
import { queries } from 'quintet-models';

import type { Inputs } from './contestant.js';
import type { Stage } from './stage_client.js';

const TOKENS = 128;
/** Numbers of a picture: three planes of 32 x 32. */
const PICTURE = 3 * 32 * 32;
const picturesFile = new URL('../../../build/web/comparison/pictures.f32', import.meta.url);

/** `quintet` tokenizes the texts for both. */
export async function prepareInputs(quintet: Stage): Promise<Inputs> {
  const questions = (await fetched(queries).then((response) => response.json())) as { query: string }[];
  const texts = questions.map(({ query }) => query);
  const [long, ...ids] = await quintet.call('tokenize', [texts.join(' '), ...texts]);
  return {
    tokens: [...long!.slice(0, TOKENS - 1), long!.at(-1)!],
    sentences: { texts, ids },
    pictures: await preparedPictures(),
  };
}

/** Drawings as the network sees them. Both libraries get the same numbers. */
async function preparedPictures(): Promise<Float32Array[]> {
  const all = new Float32Array(await (await fetched(picturesFile)).arrayBuffer());
  return Array.from({ length: all.length / PICTURE }, (_, i) => all.slice(i * PICTURE, (i + 1) * PICTURE));
}

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the server answered ${response.status}`);
  return response;
}
