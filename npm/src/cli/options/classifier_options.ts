// The options of the command that loads an image classifier.
import { readFile } from 'node:fs/promises';
import { inputError, ioError, messageOf } from '../../base/errors.js';
import { ImageClassifier, type ClassifierLoadOptions } from '../../index.js';
import type { OptionTable, OptionValues } from '../command.js';
import { UsageError } from '../ending.js';
import { defaultClassifier } from '../models/default_models.js';
import type { Output } from '../output/output.js';
import { ProgressBar } from '../output/progress_bar.js';
import { modelSource } from '../output/sources.js';
import { choiceOption, countOption } from './arguments.js';
import { ENGINE_HELP, ENGINE_OPTIONS, engineOptions } from './engine_options.js';

export const CLASSIFIER_OPTIONS = {
  model: { type: 'string', short: 'm' },
  labels: { type: 'string', short: 'l' },
  kind: { type: 'string' },
  'input-size': { type: 'string' },
  'shorter-side': { type: 'string' },
  mean: { type: 'string' },
  std: { type: 'string' },
  ...ENGINE_OPTIONS,
} as const satisfies OptionTable;

export const CLASSIFIER_HELP = `  -m, --model FILE        a tinyRuntime file; default: the classifier of the package quintet-models
  -l, --labels FILE       names of the classes: one per line, or a JSON array
  --kind K                vanilla, dq8 or sq8; default: what the file's size tells
  --input-size N          side of the square that the network sees; default 224, or CIFAR's 32
  --shorter-side N        of the scaled picture that the square is cut from; default 256 for 224
  --mean R,G,B            what is subtracted of samples from 0 to 1; default: that of ImageNet
  --std R,G,B             what they are divided by then
${ENGINE_HELP}`;

export async function loadClassifier(
  options: OptionValues<typeof CLASSIFIER_OPTIONS>,
  stderr: Output,
): Promise<ImageClassifier> {
  const given = await givenOptions(options);
  const { model, labels } = options.model === undefined ? await defaultClassifier() : { model: options.model };
  const bar = new ProgressBar(stderr, 'loading');
  try {
    return await ImageClassifier.load(modelSource(model), {
      ...(labels === undefined ? {} : { labels }),
      ...given,
      onProgress: ({ loaded, total }) => bar.update(loaded, total),
    });
  } finally {
    bar.clear();
  }
}

async function givenOptions(options: OptionValues<typeof CLASSIFIER_OPTIONS>): Promise<ClassifierLoadOptions> {
  const kind = choiceOption('kind', options.kind, ['vanilla', 'dq8', 'sq8']);
  const inputSize = countOption('input-size', options['input-size']);
  const shorterSide = countOption('shorter-side', options['shorter-side']);
  const mean = coloursOption('mean', options.mean);
  const std = coloursOption('std', options.std);
  return {
    ...(kind === undefined ? {} : { kind }),
    ...engineOptions(options),
    ...(inputSize === undefined ? {} : { inputSize }),
    ...(shorterSide === undefined ? {} : { shorterSide }),
    ...(mean === undefined ? {} : { mean }),
    ...(std === undefined ? {} : { std }),
    ...(options.labels === undefined ? {} : { labels: await labelsIn(options.labels) }),
  };
}

function coloursOption(name: string, value: string | undefined): [number, number, number] | undefined {
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
    // What is wrong with it is said below.
  }
  throw inputError('malformed', `${path} begins like a JSON array, but is not a JSON array of strings`);
}
