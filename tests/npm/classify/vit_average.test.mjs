// timm's vision transformers without a class token: their vector is the mean of the patches, with a norm before or after it,
// and registers in front of the patches do not count.
import { writeSafetensors } from 'quintet/safetensors';
import { withClassifier } from '../helpers/classifier_fixtures.mjs';
import { distance } from '../helpers/expectations.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { filesOf, modelNamed, tensorOf } from '../helpers/vision_fixtures.mjs';

const { 'model.safetensors': weights, 'config.json': config } = filesOf(modelNamed('vit-timm-avg'));
const { tensors } = plainSafetensors(weights);
const cases = JSON.parse(new TextDecoder().decode(fixtureFile('vision/vit-timm-avg-variants.json')));
const width = tensors.get('pos_embed').shape.at(-1);

test.each(cases)('$registers registers and $norm', async ({ registers, norm, input, expected, tolerance }) => {
  const changed = Object.fromEntries(
    [...tensors].map(([name, { dtype, shape, values }]) => [
      name.replace('fc_norm', norm),
      { dtype, shape, data: Float32Array.from(values) },
    ]),
  );
  const values = Array.from({ length: registers * width }, (_, i) => {
    const [row, column] = [Math.floor(i / width), i % width];
    return (((7 * row + 3 * column) % 11) - 5) / 8;
  });
  if (registers > 0)
    changed.reg_token = { dtype: 'F32', shape: [1, registers, width], data: Float32Array.from(values) };
  const files = { 'config.json': config, 'model.safetensors': await writeSafetensors({ tensors: changed }) };
  await withClassifier(files, {}, async (classifier) => {
    const logits = await classifier.logits(tensorOf(input), input.shape);
    expect(distance(logits, expected)).toBeLessThanOrEqual(tolerance);
  });
});
