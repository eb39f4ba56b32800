// The files of CLIP as open_clip saves it, in the terms of transformers. Settings are those of CLIPVisionCfg, CLIPTextCfg and
// CLIP in open_clip's model.py, of PreprocessCfg in its transform.py, and of text_global_pool in its transformer.py.

import { QuintetError, unsupported } from '../base/errors.js';
import { isA, shown } from '../base/values.js';
import { bytesSource } from '../sources/bytes/byte_source.js';
import type { OpenableFile } from '../sources/types.js';
import { wholeSource } from '../sources/whole_file.js';

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
  const { model_cfg: model, preprocess_cfg: preparation } = settings(file, '', whole);
  const { vision_cfg, text_cfg, quick_gelu } = settings(file, 'model_cfg', model);
  const vision = settings(file, 'vision_cfg', vision_cfg);
  const text = settings(file, 'text_cfg', text_cfg);
  const { mean, std, interpolation, resize_mode } = settings(file, 'preprocess_cfg', preparation || {});
  const size = vision['image_size'] || 224;
  const square = { height: size, width: size };
  const isSquashed = resize_mode === 'squash';
  const hidden_act = quick_gelu ? 'quick_gelu' : 'gelu';
  const heads = Math.floor(Number(vision['width'] || 768) / Number(vision['head_width'] || 64));
  return {
    'config.json': {
      model_type: 'clip',
      // With 2, the vector of a text is that of its greatest id (modeling_clip.py), which is `pool_type` argmax.
      text_config: { num_attention_heads: text['heads'] || 8, hidden_act, eos_token_id: 2 },
      vision_config: { image_size: size, num_attention_heads: heads, hidden_act },
    },
    'preprocessor_config.json': {
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
    },
  };
}

type Check = (value: unknown) => boolean;
const any: Check = () => true;
const number: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0;
const numbers: Check = (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
const oneOf = (...values: unknown[]): Check => values.includes.bind(values);

const both = { layers: number, width: number, mlp_ratio: any };
const supported: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  model_cfg: {
    embed_dim: any,
    vision_cfg: any,
    text_cfg: any,
    quick_gelu: any,
    custom_text: any,
    init_logit_scale: any,
  },
  vision_cfg: {
    ...both,
    head_width: number,
    patch_size: number,
    image_size: number,
    patch_dropout: any,
    pool_type: oneOf('tok'),
  },
  text_cfg: {
    ...both,
    context_length: any,
    vocab_size: any,
    heads: number,
    pad_id: any,
    hf_tokenizer_name: any,
    pool_type: oneOf('argmax'),
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

/** The members of a part of the configuration. Those that are off or absent have their default. */
function settings({ name: file }: OpenableFile, part: string, value: unknown): Record<string, unknown> {
  if (!isA(value, 'Object')) {
    throw new QuintetError('FORMAT', `${file}: ${part || 'it'} is not an object`, { reason: 'malformed' });
  }
  const checks = supported[part];
  for (const [name, each] of Object.entries(value as object)) {
    const check = checks && (Object.hasOwn(checks, name) ? checks[name] : undefined);
    if (checks && each && !check?.(each)) throw unsupported(`${file}: ${part}.${name} is ${shown(each)}`);
  }
  return value as Record<string, unknown>;
}
