// The inputs: questions and drawings from quintet-models.
import { pictures, queries } from 'quintet-models';

import type { Inputs } from './contestant.js';
import type { Stage } from './stage_client.js';

const TOKENS = 128;
const SIDE = 32;
const CHANNELS = 3;
/** Red, green and blue of ImageNet: the normalization that the classifier was trained with. */
const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];

/** `quintet` tokenizes the texts for both. */
export async function prepareInputs(quintet: Stage): Promise<Inputs> {
  const questions = (await fetched(queries).then((response) => response.json())) as { query: string }[];
  const texts = questions.map(({ query }) => query);
  const [long, ...ids] = await quintet.call('tokenize', [texts.join(' '), ...texts]);
  return {
    tokens: [...long!.slice(0, TOKENS - 1), long!.at(-1)!],
    sentences: { texts, ids },
    pictures: await Promise.all(Object.values(pictures).map(planesOf)),
  };
}

/** A drawing as the network sees it. Both libraries get the same numbers. */
async function planesOf(url: URL): Promise<Float32Array> {
  const bitmap = await createImageBitmap(await (await fetched(url)).blob());
  const context = new OffscreenCanvas(SIDE, SIDE).getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, SIDE, SIDE);
  bitmap.close();
  const { data } = context.getImageData(0, 0, SIDE, SIDE);
  return Float32Array.from({ length: CHANNELS * SIDE * SIDE }, (_, i) => {
    const channel = Math.floor(i / (SIDE * SIDE));
    const sample = data[4 * (i % (SIDE * SIDE)) + channel]!;
    return (sample / 255 - MEAN[channel]!) / DEVIATION[channel]!;
  });
}

async function fetched(url: URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the server answered ${response.status}`);
  return response;
}
