// The configuration of CLIP and SigLIP as open_clip saves it, in the terms of transformers.

import { QuintetError, unsupported } from '../base/errors.js';
import { shown } from '../base/values.js';
import { bytesSource } from '../sources/bytes/byte_source.js';
import type { OpenableFile } from '../sources/types.js';
import { wholeSource } from '../sources/whole_file.js';
import { type Settings, settings } from './open_clip_settings.js';

export { translatedTensors } from './open_clip_tensors.js';

/** `files` with those that transformers would have in place of open_clip's configuration. */
export function translatedFiles(config: OpenableFile, files: readonly OpenableFile[]): OpenableFile[] {
  let reading: Promise<Record<string, object>> | undefined;
  const names = ['config.json', 'preprocessor_config.json'];
  const translated = names.map((name) => ({
    name,
    isRemote: config.isRemote,
    async open(signal: AbortSignal | undefined) {
      reading ??= readConfig(config, signal);
      return bytesSource(new TextEncoder().encode(JSON.stringify((await reading)[name])));
    },
  }));
  return [...translated, ...files.filter((file) => file !== config && !names.includes(file.name))];
}

const maxBytes = 1 << 20;

async function readConfig(file: OpenableFile, signal: AbortSignal | undefined): Promise<Record<string, object>> {
  const bytes = await wholeSource(await file.open(signal), file.name, maxBytes);
  let whole: unknown;
  try {
    whole = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new QuintetError('FORMAT', `${file.name}: not JSON`, { reason: 'malformed', cause });
  }
  const parts = settings(file, '', whole);
  const { vision_cfg, text_cfg, quick_gelu } = settings(file, 'model_cfg', parts['model_cfg']);
  const vision = settings(file, 'vision_cfg', vision_cfg);
  const ofSiglip = (text_cfg as Settings | undefined)?.['pool_type'] === 'last';
  const text = settings(file, 'text_cfg', text_cfg, ofSiglip ? 'siglip_text' : undefined);
  const activation = quick_gelu ? 'quick_gelu' : 'gelu';
  const size = vision['image_size'] || 224;
  const heads = Math.floor(Number(vision['width'] || 768) / Number(vision['head_width'] || 64));
  const image = { image_size: size, num_attention_heads: heads, hidden_act: activation };
  return {
    'config.json': {
      model_type: ofSiglip ? 'siglip' : 'clip',
      text_config: ofSiglip ? siglipText(text) : clipText(text, activation),
      vision_config: { ...image, ...timmTower(file, vision, ofSiglip) },
    },
    'preprocessor_config.json': preparationOf(settings(file, 'preprocess_cfg', parts['preprocess_cfg'] || {}), size),
  };
}

/** With 2, the vector of a text is that of its greatest id (modeling_clip.py), which is `pool_type` argmax. */
const clipText = ({ heads }: Settings, hidden_act: string): object => ({
  num_attention_heads: heads || 8,
  hidden_act,
  eos_token_id: 2,
});

const siglipText = ({ heads, act_kwargs, norm_kwargs, tokenizer_kwargs }: Settings): object => ({
  num_attention_heads: heads || 8,
  hidden_act: act_kwargs ? 'gelu_pytorch_tanh' : 'gelu',
  layer_norm_eps: (norm_kwargs as { eps?: number } | undefined)?.eps ?? 1e-5,
  tokenizer_kwargs,
});

/** SigLIP's networks of timm that have the other GELU (vision_transformer.py). */
const withTanh = /^vit_(base_patch32|large_patch16_siglip_512|so400m_patch16|giantopt)/;

/** SigLIP's tower has the same layers in transformers; others stay timm's. */
function timmTower(
  file: OpenableFile,
  { timm_model_name: name, timm_pool: pool = 'avg' }: Settings,
  ofSiglip: boolean,
) {
  const rejected = (part: string, value: unknown) => unsupported(`${file.name}: vision_cfg.${part} is ${shown(value)}`);
  if (ofSiglip) {
    if (!/^vit_[a-z0-9]+_patch\d+_siglip_\d+$/.test(String(name))) throw rejected('timm_model_name', name);
    if (pool !== 'map') throw rejected('timm_pool', pool);
    return {
      num_attention_heads: String(name).startsWith('vit_base_') ? 12 : 16,
      hidden_act: withTanh.test(String(name)) ? 'gelu_pytorch_tanh' : 'gelu',
    };
  }
  if (!name) return {};
  // A ViT has a class token, unless its name says that it averages.
  if (pool === 'map' || (pool === 'avg' && /^(vit|deit)_(?!.*_gap_)/.test(String(name))))
    throw rejected('timm_pool', pool);
  return { architecture: name };
}

function preparationOf({ mean, std, interpolation, resize_mode }: Settings, size: unknown): object {
  const square = { height: size, width: size };
  const isSquashed = resize_mode === 'squash';
  return {
    do_resize: true,
    size: isSquashed ? square : { shortest_edge: size },
    // As PIL numbers them.
    resample: interpolation === 'bilinear' ? 2 : 3,
    do_center_crop: !isSquashed,
    crop_size: square,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    image_mean: mean || [0.48145466, 0.4578275, 0.40821073],
    image_std: std || [0.26862954, 0.26130258, 0.27577711],
  };
}
