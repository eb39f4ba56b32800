// The settings of open_clip's models that are supported: those of CLIPVisionCfg, CLIPTextCfg and CLIP in its model.py, of
// TimmModel in its timm_model.py, of PreprocessCfg in its transform.py, and of text_global_pool in its transformer.py.

import { QuintetError, unsupported } from '../base/errors.js';
import { isA, shown } from '../base/values.js';
import type { OpenableFile } from '../sources/types.js';

export type Settings = Record<string, unknown>;

type Check = (value: unknown) => boolean;
const any: Check = () => true;
const number: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0;
const numbers: Check = (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
const oneOf = (...values: unknown[]): Check => values.includes.bind(values);
const json =
  (pattern: RegExp): Check =>
  (value) =>
    pattern.test(JSON.stringify(value));

const both = { layers: number, width: number, mlp_ratio: any };
const text = {
  ...both,
  context_length: any,
  vocab_size: any,
  heads: number,
  pad_id: any,
  hf_tokenizer_name: any,
};
const supported: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  model_cfg: {
    embed_dim: any,
    vision_cfg: any,
    text_cfg: any,
    quick_gelu: any,
    custom_text: any,
    init_logit_scale: any,
    init_logit_bias: any,
  },
  vision_cfg: {
    ...both,
    head_width: number,
    patch_size: number,
    image_size: number,
    patch_dropout: any,
    pool_type: oneOf('tok'),
    timm_model_name: (value) => typeof value === 'string',
    timm_model_pretrained: any,
    timm_pool: oneOf('avg', 'map'),
    timm_proj: oneOf('linear', 'mlp', 'none'),
    timm_proj_bias: any,
    timm_drop: any,
    timm_drop_path: any,
  },
  text_cfg: { ...text, pool_type: oneOf('argmax') },
  siglip_text: {
    ...text,
    pool_type: oneOf('last'),
    no_causal_mask: oneOf(true),
    proj_bias: oneOf(true),
    norm_kwargs: json(/^\{"eps":[\d.e-]+\}$/),
    act_kwargs: json(/^\{"approximate":"tanh"\}$/),
    tokenizer_kwargs: json(/^\{"clean":"canonicalize"\}$/),
  },
  preprocess_cfg: {
    mean: numbers,
    std: numbers,
    interpolation: oneOf('bilinear', 'bicubic'),
    resize_mode: oneOf('shortest', 'squash'),
    size: any,
    mode: oneOf('RGB'),
    fill_color: any,
  },
};
/** Without these, a text of SigLIP would be computed in another way. */
const required: Readonly<Record<string, readonly string[]>> = { siglip_text: ['no_causal_mask', 'proj_bias'] };

/**
 * The members of a part of the configuration. Those that are off or absent have their default. `kind`: the row of the
 * tables, where it is not the name.
 */
export function settings({ name: file }: OpenableFile, part: string, value: unknown, kind = part): Settings {
  if (!isA(value, 'Object')) {
    throw new QuintetError('FORMAT', `${file}: ${part || 'it'} is not an object`, { reason: 'malformed' });
  }
  const checks = supported[kind];
  const members = value as Settings;
  for (const [name, each] of Object.entries(members)) {
    const check = checks && (Object.hasOwn(checks, name) ? checks[name] : undefined);
    if (checks && each && !check?.(each)) throw unsupported(`${file}: ${part}.${name} is ${shown(each)}`);
  }
  for (const name of required[kind] ?? []) {
    if (!members[name]) throw unsupported(`${file}: ${part}.${name} is ${shown(members[name])}`);
  }
  return members;
}
