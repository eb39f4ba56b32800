#!/usr/bin/env node
// Draws tests/fixtures/cifar10/drawings: one for each class of CIFAR-10. The same bytes every time.
//
//   node tools/draw_pictures.mjs
import { mkdir, writeFile } from 'node:fs/promises';

import { animals } from './pictures/animals.mjs';
import { Canvas } from './pictures/canvas.mjs';
import { encodePng } from './pictures/png.mjs';
import { vehicles } from './pictures/vehicles.mjs';

const OUT = new URL('../tests/fixtures/cifar10/drawings/', import.meta.url);
const PIXELS = 96;

await mkdir(OUT, { recursive: true });
for (const [name, draw] of Object.entries({ ...animals, ...vehicles })) {
  const canvas = new Canvas(PIXELS);
  draw(canvas);
  await writeFile(new URL(`${name}.png`, OUT), encodePng(canvas.bytes(), PIXELS, PIXELS));
}
