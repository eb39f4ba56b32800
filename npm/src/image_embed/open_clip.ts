// The files of CLIP as open_clip saves it, in the terms of transformers. Settings are those of CLIPVisionCfg, CLIPTextCfg and
// CLIP in open_clip's model.py, of PreprocessCfg in its transform.py, and of text_global_pool in its transformer.py.

import { QuintetError, unsupported } from '../base/errors.js';
import { isA, shown } from '../base/values.js';
import { bytesSource } from '../sources/bytes/byte_source.js';
import type { OpenableFile } from '../sources/types.js';
import { wholeSource } from '../sources/whole_file.js';
import { openClipConfig } from './file_names.js';

export { translatedTensors } from './open_clip_tensors.js';

/** The files with those that transformers would have in place of open_clip's configuration. */
export function translatedFiles(files: readonly OpenableFile[]): OpenableFile[] {
  const config = files.find(({ name }) => name === openClipConfig)!;
  let reading: Promise<OpenClip> | undefined;
  const translated = (name: string, textOf: (model: OpenClip) => object): OpenableFile => ({
    name,
    isRemote: config.isRemote,
    async open(signal) {
      reading ??= readConfig(config, signal);
      return bytesSource(new TextEncoder().encode(JSON.stringify(textOf(await reading))));
    },
  });
  const own = [translated('config.json', configOf), translated('preprocessor_config.json', preparationOf)];
  return [...own, ...files.filter(({ name }) => name !== config.name && own.every((file) => file.name !== name))];
}

interface OpenClip {
  model: Fields;
  vision: Fields;
  text: Fields;
  preparation: Fields;
}

const maxConfigBytes = 1 << 20;

async function readConfig(file: OpenableFile, signal: AbortSignal | undefined): Promise<OpenClip> {
  const bytes = await wholeSource(await file.open(signal), openClipConfig, maxConfigBytes);
  const whole = new Fields('', parsed(bytes));
  const model = whole.fields('model_cfg');
  const vision = model.fields('vision_cfg');
  const words = model.fields('text_cfg');
  model.allowOnly(['embed_dim', 'vision_cfg', 'text_cfg', 'quick_gelu', 'custom_text', 'init_logit_scale']);
  vision.allowOnly(['layers', 'width', 'head_width', 'mlp_ratio', 'patch_size', 'image_size', 'patch_dropout'], {
    pool_type: 'tok',
  });
  words.allowOnly(
    ['context_length', 'vocab_size', 'width', 'heads', 'layers', 'mlp_ratio', 'pad_id', 'hf_tokenizer_name'],
    { pool_type: 'argmax' },
  );
  return { model, vision, text: words, preparation: whole.fields('preprocess_cfg') };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw malformed('it is not JSON', cause);
  }
}

/** `eos_token_id` 2: the vector of a text is that of its greatest id (modeling_clip.py), as with `pool_type` argmax. */
function configOf({ model, vision, text }: OpenClip): object {
  const activation = model.flag('quick_gelu') ? 'quick_gelu' : 'gelu';
  const width = vision.number('width', 768);
  return {
    model_type: 'clip',
    text_config: { num_attention_heads: text.number('heads', 8), hidden_act: activation, eos_token_id: 2 },
    vision_config: {
      image_size: vision.number('image_size', 224),
      num_attention_heads: Math.floor(width / vision.number('head_width', 64)),
      hidden_act: activation,
    },
  };
}

const mean = [0.48145466, 0.4578275, 0.40821073];
const deviation = [0.26862954, 0.26130258, 0.27577711];
/** As PIL numbers them. */
const resampling: Readonly<Record<string, number>> = { bilinear: 2, bicubic: 3 };

function preparationOf({ vision, preparation }: OpenClip): object {
  const size = vision.number('image_size', 224);
  const square = { height: size, width: size };
  const isSquashed = preparation.choice('resize_mode', { shortest: false, squash: true }, false);
  return {
    do_resize: true,
    size: isSquashed ? square : { shortest_edge: size },
    resample: preparation.choice('interpolation', resampling, resampling['bicubic']!),
    do_center_crop: !isSquashed,
    crop_size: square,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: true,
    image_mean: preparation.color('mean', mean),
    image_std: preparation.color('std', deviation),
  };
}

/** An object of the configuration, whose members are checked when they are read. */
class Fields {
  private readonly members: Readonly<Record<string, unknown>>;

  constructor(
    private readonly name: string,
    value: unknown,
  ) {
    if (!isA(value, 'Object')) throw malformed(`${name || 'the whole'} is not an object`);
    this.members = value as Record<string, unknown>;
  }

  fields(name: string): Fields {
    return new Fields(name, this.members[name] ?? {});
  }

  flag(name: string): boolean {
    return this.choice(name, { true: true, false: false }, false);
  }

  number(name: string, usual: number): number {
    const value = this.members[name] ?? usual;
    if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
    throw this.wrong(name, 'is not a positive integer');
  }

  choice<T>(name: string, choices: Readonly<Record<string, T>>, usual: T): T {
    const value = this.members[name] ?? undefined;
    if (value === undefined) return usual;
    if (Object.hasOwn(choices, String(value))) return choices[String(value)]!;
    throw unsupported(`${openClipConfig}: ${this.name}.${name} is ${shown(value)}`);
  }

  color(name: string, usual: readonly number[]): readonly number[] {
    const value = this.members[name] ?? usual;
    if (Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)) return value;
    throw this.wrong(name, 'is not a list of three numbers');
  }

  /** Rejects settings of other networks: ResNets have lists. Those that are off do not matter. */
  allowOnly(names: readonly string[], values: Readonly<Record<string, unknown>> = {}): void {
    for (const [name, value] of Object.entries(this.members)) {
      if (
        (names.includes(name) && !Array.isArray(value)) ||
        !value ||
        (Object.hasOwn(values, name) && values[name] === value)
      )
        continue;
      throw unsupported(`${openClipConfig}: ${this.name}.${name} is ${shown(value)}`);
    }
  }

  private wrong(name: string, what: string): QuintetError {
    return malformed(`${this.name}.${name} ${what}: ${shown(this.members[name])}`);
  }
}

const malformed = (what: string, cause?: unknown): QuintetError =>
  new QuintetError('FORMAT', `${openClipConfig}: ${what}`, { reason: 'malformed', cause });
