// Models of open_clip whose tower of pictures is a network of timm: models of transformers and timm under open_clip's names
// have the vectors that were computed of them.
import { ImageEmbedder } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';
import { distance, failureOf } from '../helpers/expectations.mjs';
import { casesOf, filesOf, withEmbedder } from '../helpers/image_embedder_fixtures.mjs';
import { fixtureFile } from '../helpers/model_fixtures.mjs';
import { plainSafetensors } from '../helpers/plain_safetensors.mjs';
import { modelNamed, tensorOf } from '../helpers/vision_fixtures.mjs';

const jsonOf = (value) => new TextEncoder().encode(JSON.stringify(value));
const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
const weightsOf = (name) => plainSafetensors(filesOf(name, ['model.safetensors'])['model.safetensors']).tensors;

const storage = { F32: { of: Uint32Array }, F16: { of: Uint16Array }, BF16: { of: Uint16Array } };
const asData = ({ dtype, shape, bytes }) => ({
  dtype,
  shape,
  data: new storage[dtype].of(Uint8Array.from(bytes).buffer),
});
/** Matrices below one another. */
const stacked = (parts) => ({
  ...parts[0],
  shape: [parts.reduce((sum, { shape }) => sum + shape[0], 0), ...parts[0].shape.slice(1)],
  bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
});
const rowsOf = ({ dtype, shape: [rows, ...rest], bytes }, begin, end) => {
  const width = bytes.length / rows;
  return { dtype, shape: [end - begin, ...rest], bytes: bytes.subarray(begin * width, end * width) };
};
const written = (tensors) =>
  writeSafetensors({
    tensors: Object.fromEntries(Object.entries(tensors).map(([name, each]) => [name, asData(each)])),
  });

const kinds = ['weight', 'bias'];
/** Each layer's name in open_clip and in transformers, with both of its tensors. */
const layers = (source, names) =>
  Object.fromEntries(
    Object.entries(names).flatMap(([ours, theirs]) =>
      kinds.map((kind) => [
        `${ours}${ours.endsWith('_') ? '' : '.'}${kind}`,
        stacked([theirs].flat().map((each) => source.get(`${each}.${kind}`))),
      ]),
    ),
  );

describe('SigLIP', () => {
  const source = weightsOf('siglip-hf');
  const { text_config: text, vision_config: vision } = parsed(filesOf('siglip-hf', ['config.json'])['config.json']);
  const cases = parsed(fixtureFile('vision/siglip-timm.json'));

  function block(ours, theirs, qkv, output, norm, mlp) {
    const projection = (part) => `${theirs}self_attn.${part}_proj`;
    return layers(source, {
      [ours + qkv]: ['q', 'k', 'v'].map(projection),
      [ours + output]: projection('out'),
      [`${ours}${norm}1`]: `${theirs}layer_norm1`,
      [`${ours}${norm}2`]: `${theirs}layer_norm2`,
      [`${ours}mlp.${mlp[0]}`]: `${theirs}mlp.fc1`,
      [`${ours}mlp.${mlp[1]}`]: `${theirs}mlp.fc2`,
    });
  }
  const numbered = (count, make) => Object.assign({}, ...Array.from({ length: count }, (_, i) => make(i)));
  const pooling = 'vision_model.head.';
  const [inputs, biases] = kinds.map((kind) => source.get(`${pooling}attention.in_proj_${kind}`));
  const width = vision.hidden_size;
  const position = source.get('vision_model.embeddings.position_embedding.weight');
  const tensors = {
    logit_scale: source.get('logit_scale'),
    logit_bias: source.get('logit_bias'),
    'text.positional_embedding': source.get('text_model.embeddings.position_embedding.weight'),
    'text.token_embedding.weight': source.get('text_model.embeddings.token_embedding.weight'),
    ...layers(source, {
      'text.ln_final': 'text_model.final_layer_norm',
      'text.text_projection': 'text_model.head',
      'visual.trunk.patch_embed.proj': 'vision_model.embeddings.patch_embedding',
      'visual.trunk.norm': 'vision_model.post_layernorm',
      'visual.trunk.attn_pool.proj': `${pooling}attention.out_proj`,
      'visual.trunk.attn_pool.norm': `${pooling}layernorm`,
      'visual.trunk.attn_pool.mlp.fc1': `${pooling}mlp.fc1`,
      'visual.trunk.attn_pool.mlp.fc2': `${pooling}mlp.fc2`,
    }),
    ...numbered(text.num_hidden_layers, (i) =>
      block(
        `text.transformer.resblocks.${i}.`,
        `text_model.encoder.layers.${i}.`,
        'attn.in_proj_',
        'attn.out_proj',
        'ln_',
        ['c_fc', 'c_proj'],
      ),
    ),
    ...numbered(vision.num_hidden_layers, (i) =>
      block(`visual.trunk.blocks.${i}.`, `vision_model.encoder.layers.${i}.`, 'attn.qkv', 'attn.proj', 'norm', [
        'fc1',
        'fc2',
      ]),
    ),
    'visual.trunk.pos_embed': { ...position, shape: [1, ...position.shape] },
    'visual.trunk.attn_pool.latent': source.get(`${pooling}probe`),
    'visual.trunk.attn_pool.q.weight': rowsOf(inputs, 0, width),
    'visual.trunk.attn_pool.q.bias': rowsOf(biases, 0, width),
    'visual.trunk.attn_pool.kv.weight': rowsOf(inputs, width, 3 * width),
    'visual.trunk.attn_pool.kv.bias': rowsOf(biases, width, 3 * width),
  };

  const config = (name, changes = {}) => ({
    model_cfg: {
      embed_dim: width,
      init_logit_bias: -10,
      custom_text: true,
      vision_cfg: {
        image_size: vision.image_size,
        timm_model_name: name,
        timm_model_pretrained: false,
        timm_pool: 'map',
        timm_proj: 'none',
        ...changes.vision,
      },
      text_cfg: {
        context_length: text.max_position_embeddings,
        vocab_size: text.vocab_size,
        hf_tokenizer_name: 'timm/ViT-B-16-SigLIP',
        tokenizer_kwargs: { clean: 'canonicalize' },
        width: text.hidden_size,
        heads: text.num_attention_heads,
        layers: text.num_hidden_layers,
        no_causal_mask: true,
        proj_bias: true,
        pool_type: 'last',
        norm_kwargs: { eps: 1e-6 },
        act_kwargs: { approximate: 'tanh' },
        ...changes.text,
      },
    },
    preprocess_cfg: { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5], interpolation: 'bicubic', resize_mode: 'squash' },
  });
  const tokenizer = filesOf('siglip-hf', ['tokenizer.json', 'tokenizer_config.json', 'special_tokens_map.json']);
  const folder = async (described) => ({
    'open_clip_config.json': jsonOf(described),
    ...tokenizer,
    'open_clip_model.safetensors': await written(tensors),
  });

  test.each(cases)('$timm_model_name has its heads and its GELU', async ({ timm_model_name: name, ...each }) => {
    await withEmbedder(await folder(config(name)), {}, async (embedder) => {
      expect(embedder.info.architecture).toBe('SigLIP');
      const vector = await embedder.embedPixels(tensorOf(each.input), each.input.shape);
      expect(distance(vector, each.expected)).toBeLessThanOrEqual(each.tolerance);
    });
  });

  test('texts have the vectors of the same weights', async () => {
    await withEmbedder(await folder(config(cases[0].timm_model_name)), { towers: 'text' }, async (embedder) => {
      for (const { ids, text: words, expected, tolerance } of casesOf('siglip-hf', 'textEmbed')) {
        const vector = ids ? await embedder.embedIds(ids) : await embedder.embedText(words);
        expect(distance(vector, expected)).toBeLessThanOrEqual(tolerance);
      }
    });
  });

  // canonicalize_text in open_clip's tokenizer.py.
  test('texts are canonical before a tokenizer that changes nothing itself', async () => {
    const plain = { ...parsed(tokenizer['tokenizer.json']), normalizer: null };
    const files = { ...(await folder(config(cases[0].timm_model_name))), 'tokenizer.json': jsonOf(plain) };
    await withEmbedder(files, { towers: 'text' }, async (embedder) => {
      const expected = [...(await embedder.tokenize('a photo of the dogs'))];
      expect([...(await embedder.tokenize(' A_photo  of "THE" dog\'s! '))]).toEqual(expected);
    });
    const other = config(cases[0].timm_model_name, { text: { tokenizer_kwargs: undefined } });
    await withEmbedder({ ...files, 'open_clip_config.json': jsonOf(other) }, { towers: 'text' }, async (embedder) => {
      expect([...(await embedder.tokenize('A photo'))]).not.toEqual([...(await embedder.tokenize('a photo'))]);
    });
  });

  const siglip = 'vit_base_patch16_siglip_224';
  test.each([
    ['another pooling', config(siglip, { vision: { timm_pool: 'avg' } }), 'timm_pool'],
    ['no tower of timm', config(undefined), 'timm_model_name'],
    ['another network', config('vit_base_patch16_224'), 'timm_model_name'],
    ['an average', config('vit_base_patch16_siglip_gap_224'), 'timm_model_name'],
    ['a causal mask', config(siglip, { text: { no_causal_mask: false } }), 'no_causal_mask'],
    ['another norm', config(siglip, { text: { norm_kwargs: { eps: 1e-6, bias: false } } }), 'norm_kwargs'],
    ['another activation', config(siglip, { text: { act_kwargs: { approximate: 'erf' } } }), 'act_kwargs'],
    ['another form of texts', config(siglip, { text: { tokenizer_kwargs: { clean: 'lower' } } }), 'tokenizer_kwargs'],
  ])('%s is rejected', async (_, described, says) => {
    const failure = await failureOf(ImageEmbedder.load(await folder(described)));
    expect(failure).toMatchObject({ code: 'UNSUPPORTED' });
    expect(failure.message).toContain('open_clip_config.json');
    expect(failure.message).toContain(says);
  });
});

describe('CLIP with a ConvNeXt', () => {
  const trunk = weightsOf('convnext-timm');
  const { runs } = modelNamed('convnext-timm');
  const classifier = 'head.fc';
  const trunkTensors = Object.fromEntries(
    [...trunk]
      .filter(([name]) => !name.startsWith(`${classifier}.`))
      .map(([name, tensor]) => [`visual.trunk.${name}`, tensor]),
  );
  const folder = async (head, vision = {}) => ({
    'open_clip_config.json': jsonOf({
      model_cfg: {
        embed_dim: 10,
        vision_cfg: {
          timm_model_name: 'convnext_tiny',
          timm_model_pretrained: false,
          timm_pool: '',
          timm_proj: 'linear',
          timm_drop_path: 0.1,
          image_size: 64,
          ...vision,
        },
        text_cfg: { context_length: 77, vocab_size: 49408, width: 64, heads: 1, layers: 1 },
      },
    }),
    'open_clip_model.safetensors': await written({ ...trunkTensors, ...head }),
  });
  const floats = (shape, values) => ({ dtype: 'F32', shape, bytes: Buffer.from(Float32Array.from(values).buffer) });
  const weight = trunk.get(`${classifier}.weight`);
  const bias = trunk.get(`${classifier}.bias`);
  const [classes, width] = weight.shape;

  async function expectLogits(embedder) {
    expect(runs.length).toBeGreaterThan(0);
    for (const { input, expected, tolerance } of runs) {
      const length = Math.hypot(...expected);
      const vector = await embedder.embedPixels(tensorOf(input), input.shape);
      expect(
        distance(
          vector,
          expected.map((each) => each / length),
        ),
      ).toBeLessThanOrEqual((2 * tolerance) / length + 1e-6);
    }
  }

  test('a linear projection gives the logits of the same classifier, scaled to length 1', async () => {
    const head = { 'visual.head.proj.weight': weight, 'visual.head.proj.bias': bias };
    await withEmbedder(await folder(head, { timm_proj_bias: true }), { towers: 'image' }, async (embedder) => {
      expect(embedder.info.architecture).toBe('CLIP');
      await expectLogits(embedder);
    });
  });

  // gelu(x) - gelu(-x) = x.
  test('so does a projection of two layers that pass their input on', async () => {
    const identity = (sign) => Array.from({ length: width * width }, (_, i) => (i % (width + 1) === 0 ? sign : 0));
    const rows = Array.from({ length: classes }, (_, i) => [...weight.values.slice(i * width, (i + 1) * width)]);
    const head = {
      'visual.head.mlp.fc1.weight': floats([2 * width, width], [...identity(1), ...identity(-1)]),
      'visual.head.mlp.fc1.bias': floats([2 * width], new Float32Array(2 * width)),
      'visual.head.mlp.fc2.weight': floats(
        [classes, 2 * width],
        rows.flatMap((row) => [...row, ...row.map((each) => -each)]),
      ),
      'visual.head.mlp.fc2.bias': bias,
    };
    await withEmbedder(await folder(head, { timm_proj: 'mlp' }), { towers: 'image' }, expectLogits);
  });

  const linear = { 'visual.head.proj.weight': weight };
  test.each([
    ['FastViT of MobileCLIP', { timm_model_name: 'fastvit_mci0' }, 'fastvit_mci0'],
    ['attention pooling', { timm_pool: 'rot_attn' }, 'timm_pool'],
    ["SigLIP's pooling", { timm_pool: 'map' }, 'timm_pool'],
    [
      'a mean over a network with a class token',
      { timm_model_name: 'vit_base_patch16_224', timm_pool: 'avg' },
      'timm_pool',
    ],
    ['another projection', { timm_proj: 'attn' }, 'timm_proj'],
    ['a network of other tensors', { timm_model_name: 'swin_tiny_patch4_window7_224' }, 'tensor'],
  ])('%s is rejected by name', async (_, vision, says) => {
    const failure = await failureOf(ImageEmbedder.load(await folder(linear, vision), { towers: 'image' }));
    expect(failure).toMatchObject({ code: expect.stringMatching(/UNSUPPORTED|FORMAT/) });
    expect(failure.message).toContain(says);
  });
});
