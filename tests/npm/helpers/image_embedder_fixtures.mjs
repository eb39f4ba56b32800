// The models of pictures and words in tests/fixtures/vision, with what independent code computed of them.
import { readFileSync } from 'node:fs';
import { ImageEmbedder } from 'quintet';
import { fixtureFile, fixturePath } from './model_fixtures.mjs';

const folder = 'vision/';
const cases = JSON.parse(readFileSync(fixturePath(`${folder}embeddings.json`), 'utf8'));

export const casesOf = (name, kind) => cases.filter((each) => each.path === name && each.kind === kind);

export const clip = fixturePath(`${folder}clip-hf-sparse`);
export const siglip = fixturePath(`${folder}siglip-hf`);
export const dinov2 = fixturePath(`${folder}dinov2-hf`);

/** { name, path, towers, dimension, architecture } */
export const embedders = [
  { name: 'clip-hf-sparse', path: clip, towers: ['image', 'text'], dimension: 20, architecture: 'CLIP' },
  { name: 'siglip-hf', path: siglip, towers: ['image', 'text'], dimension: 24, architecture: 'SigLIP' },
  { name: 'dinov2-hf', path: dinov2, towers: ['image'], dimension: 24, architecture: 'DINOv2' },
  ...['dinov2-registers-hf', 'dinov2-hf-swiglu'].map((name) => ({
    name,
    path: fixturePath(folder + name),
    towers: ['image'],
    dimension: 24,
    architecture: 'DINOv2',
  })),
  {
    name: 'dinov3-hf',
    path: fixturePath(`${folder}dinov3-hf`),
    towers: ['image'],
    dimension: 24,
    architecture: 'DINOv3',
  },
];
export const withTexts = embedders.filter(({ towers }) => towers.includes('text'));

export const imageFile = (name) => fixtureFile(`${folder}images/${name}`);

/** The files of a model in memory, { name: bytes }. */
export const filesOf = (name, files) =>
  Object.fromEntries(files.map((file) => [file, fixtureFile(`${folder}${name}/${file}`)]));

/** Loads a model, and closes it after its use. */
export async function withEmbedder(source, options, use) {
  const embedder = await ImageEmbedder.load(source, options);
  try {
    return await use(embedder);
  } finally {
    embedder.close();
  }
}

export const lengthOf = (vector) => Math.hypot(...vector);
export const cosine = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0) / lengthOf(a) / lengthOf(b);
