#!/usr/bin/env node
// Draws models/pictures: one for each class of the bundled classifier. The same bytes every time.
//
//   node tools/draw_pictures.mjs
import { mkdir, writeFile } from 'node:fs/promises';

import { animals } from './pictures/animals.mjs';
import { Canvas } from './pictures/canvas.mjs';
import { encodePng } from './pictures/png.mjs';
import { vehicles } from './pictures/vehicles.mjs';

const OUT = new URL('../models/pictures/', import.meta.url);
const PIXELS = 96;

await mkdir(OUT, { recursive: true });
for (const [name, draw] of Object.entries({ ...animals, ...vehicles })) {
  const canvas = new Canvas(PIXELS);
  draw(canvas);
  await writeFile(new URL(`${name}.png`, OUT), encodePng(canvas.bytes(), PIXELS, PIXELS));
}
