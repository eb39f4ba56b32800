// CLIP in the files of open_clip: a model of transformers under open_clip's names has the vectors that were computed of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { casesOf, filesOf, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { serveHub } from '../helpers/servers/hub_server.mjs';
import { pictureOf, tensorOf } from '../helpers/vision_fixtures.mjs';

const original = filesOf('clip-hf-sparse', ['config.json', 'preprocessor_config.json', 'model.safetensors']);
const jsonIn = (name) => JSON.parse(new TextDecoder().decode(original[name]));
const config = jsonIn('config.json');
const { vision_config: vision, text_config: text } = config;
const { image_mean: mean, image_std: std } = jsonIn('preprocessor_config.json');
const { tensors: source } = plainSafetensors(original['model.safetensors']);

const openClipConfig = {
  model_cfg: {
    embed_dim: config.projection_dim,
    quick_gelu: true,
    vision_cfg: {
      image_size: vision.image_size,
      layers: vision.num_hidden_layers,
      width: vision.hidden_size,
      head_width: vision.hidden_size / vision.num_attention_heads,
      patch_size: vision.patch_size,
    },
    text_cfg: {
      context_length: text.max_position_embeddings,
      vocab_size: text.vocab_size,
      width: text.hidden_size,
      heads: text.num_attention_heads,
      layers: text.num_hidden_layers,
      mlp_ratio: text.intermediate_size / text.hidden_size,
    },
  },
  preprocess_cfg: { mean, std, interpolation: 'bicubic', resize_mode: 'shortest' },
};

/** The values of an F16 tensor as bits. */
const bitsOf = (name) => new Uint16Array(source.get(name).bytes.slice().buffer);
const same = (name) => ({ dtype: 'F16', shape: source.get(name).shape, data: bitsOf(name) });

function transposed(name) {
  const [rows, columns] = source.get(name).shape;
  const values = bitsOf(name);
  const data = Uint16Array.from(values, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
  return { dtype: 'F16', shape: [columns, rows], data };
}

function stacked(names) {
  const [rows, ...rest] = source.get(names[0]).shape;
  const data = new Uint16Array(names.flatMap((name) => [...bitsOf(name)]));
  return { dtype: 'F16', shape: [names.length * rows, ...rest], data };
}

// The names of both: the table of convert_clip_original_pytorch_to_hf.py, whose left side is open_clip's, too.
function blocks(prefix, layers, count) {
  const all = {};
  for (let i = 0; i < count; ++i) {
    const [ours, theirs] = [`${prefix}transformer.resblocks.${i}.`, `${layers}${i}.`];
    for (const kind of ['weight', 'bias']) {
      all[`${ours}attn.in_proj_${kind}`] = stacked(
        ['q', 'k', 'v'].map((each) => `${theirs}self_attn.${each}_proj.${kind}`),
      );
      all[`${ours}attn.out_proj.${kind}`] = same(`${theirs}self_attn.out_proj.${kind}`);
      all[`${ours}ln_1.${kind}`] = same(`${theirs}layer_norm1.${kind}`);
      all[`${ours}ln_2.${kind}`] = same(`${theirs}layer_norm2.${kind}`);
      all[`${ours}mlp.c_fc.${kind}`] = same(`${theirs}mlp.fc1.${kind}`);
      all[`${ours}mlp.c_proj.${kind}`] = same(`${theirs}mlp.fc2.${kind}`);
    }
  }
  return all;
}

/** `prefix`: of the tower of texts; models with `custom_text` have it in its own module. */
const tensorsUnder = (prefix) => ({
  logit_scale: same('logit_scale'),
  [`${prefix}positional_embedding`]: same('text_model.embeddings.position_embedding.weight'),
  [`${prefix}token_embedding.weight`]: same('text_model.embeddings.token_embedding.weight'),
  [`${prefix}ln_final.weight`]: same('text_model.final_layer_norm.weight'),
  [`${prefix}ln_final.bias`]: same('text_model.final_layer_norm.bias'),
  [`${prefix}text_projection`]: transposed('text_projection.weight'),
  ...blocks(prefix, 'text_model.encoder.layers.', text.num_hidden_layers),
  'visual.class_embedding': same('vision_model.embeddings.class_embedding'),
  'visual.positional_embedding': same('vision_model.embeddings.position_embedding.weight'),
  'visual.conv1.weight': same('vision_model.embeddings.patch_embedding.weight'),
  'visual.ln_pre.weight': same('vision_model.pre_layrnorm.weight'),
  'visual.ln_pre.bias': same('vision_model.pre_layrnorm.bias'),
  'visual.ln_post.weight': same('vision_model.post_layernorm.weight'),
  'visual.ln_post.bias': same('vision_model.post_layernorm.bias'),
  'visual.proj': transposed('visual_projection.weight'),
  ...blocks('visual.', 'vision_model.encoder.layers.', vision.num_hidden_layers),
});

const weights = 'open_clip_model.safetensors';
const tokenizer = filesOf('clip-hf-sparse', ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json']);
const jsonOf = (value) => new TextEncoder().encode(JSON.stringify(value));
const folder = async (prefix, described = openClipConfig) => ({
  'open_clip_config.json': jsonOf(described),
  ...tokenizer,
  [weights]: await writeSafetensors({ tensors: tensorsUnder(prefix) }),
});

async function expectTexts(embedder) {
  for (const { ids, text: words, expected, tolerance } of casesOf('clip-hf-sparse', 'textEmbed')) {
    const vector = ids ? await embedder.embedIds(ids) : await embedder.embedText(words);
    expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
  }
}

async function expectPictures(embedder) {
  for (const { input, image, expected, tolerance } of casesOf('clip-hf-sparse', 'imageEmbed')) {
    const vector = input
      ? await embedder.embedPixels(tensorOf(input), input.shape)
      : await embedder.embedImage(pictureOf({ image }));
    expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
  }
}

test.each(['', 'text.'])('with texts under "%s", both towers have the vectors of the same weights', async (prefix) => {
  const files = await folder(prefix);
  await withEmbedder(files, {}, async (embedder) => {
    expect(embedder.info.architecture).toBe('CLIP');
    await expectTexts(embedder);
    await expectPictures(embedder);
    for (const each of casesOf('clip-hf-sparse', 'similarity')) {
      const image = await embedder.embedImage(pictureOf(each));
      const through = embedder.similarity(image, await embedder.embedText(each.texts));
      expect(distance(through, each.expected)).toBeLessThanOrEqual(each.throughTolerance);
    }
  });
  await withEmbedder(files, { towers: 'text' }, expectTexts);
  const stream = { ...files, [weights]: new Blob([files[weights]]).stream() };
  await withEmbedder(stream, { towers: 'image' }, expectPictures);
});

test('loads from a path and from the Hub, also with a config.json of timm next to it', async () => {
  const files = await folder('');
  const path = await mkdtemp(join(tmpdir(), 'quintet-open-clip-'));
  const hub = await serveHub();
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(path, name), bytes);
    await withEmbedder(path, {}, expectPictures);
    await writeFile(join(path, 'config.json'), JSON.stringify({ architecture: 'vit_base_patch32_clip_224' }));
    await withEmbedder(path, {}, expectPictures);
    hub.add('zoo/open-clip', files);
    process.env.HF_HOME = join(path, 'cache');
    await withEmbedder('hf:zoo/open-clip', { hub: { endpoint: hub.endpoint } }, expectTexts);
  } finally {
    delete process.env.HF_HOME;
    await hub.close();
    await rm(path, { recursive: true });
  }
});

test('prefers the weights of transformers where both are', async () => {
  const other = jsonOf({ ...openClipConfig, preprocess_cfg: { mean: [0, 0, 0], std: [1, 1, 1] } });
  await withEmbedder({ ...original, 'open_clip_config.json': other }, {}, expectPictures);
});

const { model_cfg: model } = openClipConfig;
const changed = (change) => jsonOf({ ...openClipConfig, model_cfg: { ...model, ...change } });
const visionWith = (change) => changed({ vision_cfg: { ...model.vision_cfg, ...change } });

test.each([
  ['a ResNet', visionWith({ layers: [3, 4, 6, 3] }), 'UNSUPPORTED', 'vision_cfg.layers'],
  ['another pooling', changed({ text_cfg: { ...model.text_cfg, pool_type: 'first' } }), 'UNSUPPORTED', 'pool_type'],
  [
    'another resize',
    jsonOf({ ...openClipConfig, preprocess_cfg: { resize_mode: 'longest' } }),
    'UNSUPPORTED',
    'longest',
  ],
  [
    'heads that are no number',
    changed({ text_cfg: { ...model.text_cfg, heads: '3' } }),
    'UNSUPPORTED',
    'text_cfg.heads',
  ],
  ['no JSON', new TextEncoder().encode('{"model_cfg":'), 'FORMAT', 'not JSON'],
  ['no object', jsonOf([]), 'FORMAT', 'not an object'],
  ['a very large file', new Uint8Array(2 ** 20 + 1).fill(0x20), 'FORMAT', '1048576 bytes'],
])('%s is rejected', async (_, described, code, says) => {
  const failure = await failureOf(withEmbedder({ ...(await folder('')), 'open_clip_config.json': described }));
  expect(failure).toMatchObject({ code });
  expect(failure.message).toContain('open_clip_config.json');
  expect(failure.message).toContain(says);
});
