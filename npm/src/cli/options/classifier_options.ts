// The options of the command that loads an image classifier.
import { readFile } from 'node:fs/promises';
import { inputError, ioError, messageOf } from '../../base/errors.js';
import { type ClassifierLoadOptions, ImageClassifier } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { defaultModel } from '../models/default_models.js';
import { LoadingBar } from '../output/loading_bar.js';
import type { Output } from '../output/output.js';
import { modelSource } from '../output/sources.js';
import { choiceOption, countOption } from './arguments.js';
import { ENGINE_OPTIONS, engineOptions } from './engine_options.js';
import { QUANTIZE_OPTION, quantizeOption } from './model_options.js';

export const CLASSIFIER_OPTIONS = {
  model: {
    type: 'string',
    short: 'm',
    value: 'FILE',
    help: 'a folder of Hugging Face or timm, a safetensors or tinyRuntime file, or hf:OWNER/NAME; default: the classifier of quintet-models',
  },
  labels: {
    type: 'string',
    short: 'l',
    value: 'FILE',
    help: 'names of the classes: one per line, or a JSON array; default: those of the model, else `class 0`, `class 1`, ...',
  },
  kind: {
    type: 'string',
    value: 'K',
    help: "`vanilla` (float32), `dq8` or `sq8`; default: deduced from the file's size",
  },
  'input-size': {
    type: 'string',
    value: 'N',
    help: "side of the square image the network sees, in pixels; default: the model's, else 224, or 32 for CIFAR networks",
  },
  'shorter-side': {
    type: 'string',
    value: 'N',
    help: "scale the image to this shorter side before cropping, in pixels; default: the model's, else 256 for an input size of 224",
  },
  mean: {
    type: 'string',
    value: 'R,G,B',
    help: "subtracted from samples between 0 and 1; default: the model's, else ImageNet's",
  },
  std: { type: 'string', value: 'R,G,B', help: "divisor of the result; default: the model's, else ImageNet's" },
  ...QUANTIZE_OPTION,
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

export async function loadClassifier(
  options: OptionValues<typeof CLASSIFIER_OPTIONS>,
  stderr: Output,
): Promise<ImageClassifier> {
  const given = await givenOptions(options);
  const model = options.model ?? (await defaultModel('classifier'));
  const bar = new LoadingBar(stderr);
  try {
    return await ImageClassifier.load(modelSource(model), {
      ...given,
      onProgress: (progress) => bar.update(progress),
    });
  } finally {
    bar.clear();
  }
}

async function givenOptions(options: OptionValues<typeof CLASSIFIER_OPTIONS>): Promise<ClassifierLoadOptions> {
  const kind = choiceOption('kind', options.kind, ['vanilla', 'dq8', 'sq8']);
  const inputSize = countOption('input-size', options['input-size']);
  const shorterSide = countOption('shorter-side', options['shorter-side']);
  const mean = colorsOption('mean', options.mean);
  const std = colorsOption('std', options.std);
  return {
    ...(kind === undefined ? {} : { kind }),
    ...engineOptions(options),
    ...quantizeOption(options),
    ...(inputSize === undefined ? {} : { inputSize }),
    ...(shorterSide === undefined ? {} : { shorterSide }),
    ...(mean === undefined ? {} : { mean }),
    ...(std === undefined ? {} : { std }),
    ...(options.labels === undefined ? {} : { labels: await labelsIn(options.labels) }),
  };
}

function colorsOption(name: string, value: string | undefined): [number, number, number] | undefined {
  if (value === undefined) return undefined;
  const number = String.raw`\s*-?\d+(?:\.\d+)?\s*`;
  if (new RegExp(`^${number},${number},${number}$`).test(value)) {
    return value.split(',').map(Number) as [number, number, number];
  }
  throw new UsageError(`--${name} takes three numbers like 0.5,0.5,0.5, not '${value}'`);
}

/** One per line, or a JSON array. */
async function labelsIn(path: string): Promise<string[]> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw ioError('read_failed', `cannot read ${path}: ${messageOf(error)}`, error);
  });
  const text = new TextDecoder().decode(bytes);
  if (!text.trimStart().startsWith('[')) return text.replace(/\r?\n$/, '').split(/\r?\n/);
  try {
    const labels: unknown = JSON.parse(text);
    if (Array.isArray(labels) && labels.every((label) => typeof label === 'string')) return labels;
  } catch {
    // Reported below.
  }
  throw inputError('malformed', `${path} starts like a JSON array but is not an array of strings`);
}
