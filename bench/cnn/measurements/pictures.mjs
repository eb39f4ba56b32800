// From a picture's file to labels, and how much of it the network takes. No rival decodes pictures in Node.
import { readFile, writeFile } from 'node:fs/promises';

import { openPage } from '../../shared/hosts/chromium_host.mjs';
import { summary } from '../../shared/statistics.mjs';
import { ENVIRONMENTS } from '../contestants.mjs';
import { PAGE, pictureFile } from '../paths.mjs';
import { withStages } from '../rounds.mjs';
import { TIMED_PICTURE } from '../workload.mjs';

const PICTURES = [
  { name: 'picture-640x480.jpg', type: 'image/jpeg', width: 640, height: 480 },
  { name: 'picture-640x480.png', type: 'image/png', width: 640, height: 480 },
  { name: 'picture-4000x3000.jpg', type: 'image/jpeg', width: 4000, height: 3000 },
];

/** Made by Chromium, once. */
export async function preparePictures(server) {
  const missing = [];
  for (const picture of PICTURES) {
    const made = await readFile(pictureFile(picture.name)).catch(() => undefined);
    if (!made) missing.push(picture);
  }
  if (missing.length === 0) return;
  const { page, close } = await openPage(server, PAGE);
  try {
    for (const { name, ...picture } of missing) {
      const encoded = await page.evaluate((values) => globalThis.encodePicture(values), { seed: TIMED_PICTURE, ...picture });
      await writeFile(pictureFile(name), encoded, 'base64');
    }
  } finally {
    await close();
  }
}

/** Times of `contestant`, one of quintet: [{ name, pixels, bytes, classify, network }]. */
export async function measurePictures(environment, contestant, { pace, server }) {
  return withStages(environment, [contestant], server, async ([{ call }]) => {
    await call('setPicture', TIMED_PICTURE);
    await call('warmUp', pace.warmUp);
    const results = [];
    for (const { name, width, height } of PICTURES) {
      const file = pictureFile(name);
      const [classify, network] = [[], []];
      // The first is not counted.
      for (let round = 0; round <= pace.rounds; round++) {
        const samples = await call('measurePicture', ENVIRONMENTS[environment].path(file), pace.slice / 2);
        const runs = await call('measure', pace.slice / 4);
        if (round === 0) continue;
        classify.push(...samples);
        network.push(...runs);
      }
      const { length } = await readFile(file);
      results.push({ name, pixels: width * height, bytes: length, classify: summary(classify), network: summary(network) });
    }
    return results;
  });
}
