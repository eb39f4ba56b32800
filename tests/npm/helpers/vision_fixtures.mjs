// The models of tests/fixtures/vision, with what independent code computed of them.
import { readFileSync } from 'node:fs';
import { fixtureFile, fixturePath } from './model_fixtures.mjs';
import { plainSafetensors } from './plain_safetensors.mjs';

const folder = 'vision/';
const cases = JSON.parse(readFileSync(fixturePath(`${folder}expected.json`), 'utf8'));

/** Bytes stand for (byte / 255 - mean) / std, channel after channel. */
export function tensorOf({ file, shape, mean, std }) {
  const bytes = fixtureFile(folder + file);
  const plane = shape[1] * shape[2];
  return Float32Array.from(bytes, (byte, i) => {
    const channel = Math.floor(i / plane);
    return (byte / 255 - mean[channel]) / std[channel];
  });
}

export const pathOf = ({ path }) => fixturePath(folder + path);
export const pictureOf = ({ image }) => fixtureFile(folder + image);

/** { name, path, runs: [{ input, expected, tolerance }], top, prepared } */
export const models = [...new Set(cases.map(({ path }) => path))].map((path) => {
  const own = cases.filter((each) => each.path === path);
  return {
    name: path.replace(/\/.*/, ''),
    path,
    runs: own.filter(({ input }) => input),
    top: own.find(({ expected }) => expected.top),
    prepared: own.find(({ kind }) => kind === 'preprocess'),
  };
});
export const modelNamed = (name) => models.find((model) => model.name === name);

/** The files of a model in memory, { name: bytes }. */
export function filesOf(model) {
  const root = folder + model.path;
  if (root.endsWith('.safetensors')) return { 'model.safetensors': fixtureFile(root) };
  const names = [
    'config.json',
    'model.safetensors',
    ...(model.name.includes('-hf') ? ['preprocessor_config.json'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, fixtureFile(`${root}/${name}`)]));
}

/** The linear layer that ends a network: a function from features to logits, computed in double. */
export function lastLayer(model) {
  const { tensors } = plainSafetensors(filesOf(model)['model.safetensors']);
  const name = ['classifier', 'classifier.1', 'head.fc', 'fc', 'head'].find((each) => tensors.has(`${each}.weight`));
  const weight = tensors.get(`${name}.weight`);
  const bias = tensors.get(`${name}.bias`).values;
  const [classes, width] = weight.shape;
  const apply = (features) =>
    Array.from({ length: classes }, (_, row) =>
      features.reduce((sum, x, i) => sum + x * weight.values[row * width + i], bias[row]),
    );
  return { width, apply };
}
